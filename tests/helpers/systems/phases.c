/* phases - what a trainer does, in phases that a system call tells apart that nobody else makes: getppid(). Step 3 is to be recorded. */
#include "tests/helpers/kill/fake_opencl.h"
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

static void (*begin_step)(int64_t n);

static void launch(int times)
{
	static char kernel[] = "phases";
	static const size_t size = 64;

	for (int i = 0; i < times; i++)
		clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
}

static void step(int64_t n)
{
	if (begin_step)
		begin_step(n);
	launch(100);
}

int main(void)
{
	*(void **)&begin_step = dlsym(RTLD_DEFAULT, "ranktrace_step");
	getppid(); /* first call */
	launch(1);
	getppid(); /* dormant */
	launch(1000);
	step(1);
	getppid(); /* before the window */
	step(2);
	getppid(); /* window */
	step(3);
	launch(40000);
	getppid(); /* behind it */
	step(4);
	step(5);
	getppid(); /* exit */
	puts("done");
	return 0;
}
