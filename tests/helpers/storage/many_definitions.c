/*
 * many_definitions steps N - N steps with a copy in each tenth.
 * many_definitions launches N - in step 1 a kernel is launched with N different sizes, in step 3 another with one.
 */
#include "tests/helpers/kill/fake_opencl.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern void ranktrace_step(int64_t n) __attribute__((weak));

static void begin_step(int64_t n)
{
	if (ranktrace_step)
		ranktrace_step(n);
}

static void launch(void *kernel, size_t size)
{
	clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
}

static void steps(long count)
{
	static char from[1];

	for (long n = 1; n <= count; n++) {
		begin_step(n);
		if (n % 10 == 0)
			clEnqueueWriteBuffer(NULL, NULL, 0, 0, (size_t)n, from, 0, NULL, NULL);
	}
}

static void launches(long count)
{
	void *first = clCreateKernel(NULL, "first", NULL), *second = clCreateKernel(NULL, "second", NULL);

	begin_step(1);
	for (long n = 1; n <= count; n++)
		launch(first, (size_t)n);
	begin_step(2);
	begin_step(3);
	launch(second, 7);
	begin_step(4);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	(strcmp(argv[1], "steps") ? launches : steps)(atol(argv[2]));
	return 0;
}
