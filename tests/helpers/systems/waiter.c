/* waiter - calls, says so, waits for a line, calls again: what happens to its files meanwhile is the test. */
#include "tests/helpers/kill/fake_opencl.h"
#include <stdio.h>

static void calls(int n)
{
	static char kernel[] = "waiter";
	static const size_t size = 64;

	while (n--)
		clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
}

int main(void)
{
	char line[16];

	calls(3000);
	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	calls(2000);
	puts("done");
	return 0;
}
