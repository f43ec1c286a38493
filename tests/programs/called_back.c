/* called_back.c - a vendor's function that calls the program back, which calls another one from there. */
#include "tests/helpers/kill/fake_opencl.h"
#include <stddef.h>

static void launch(void)
{
	static const size_t size = 64;
	static char kernel[] = "inner";

	clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
}

static void callback(void *unused)
{
	(void)unused;
	launch();
}

int main(void)
{
	clEnqueueNativeKernel(NULL, callback, NULL, 0, 0, NULL, NULL, 0, NULL, NULL);
	return 0;
}
