/*
 * planter COMMAND... - a trainer of one step a command: ten calls, then the shell runs the command,
 * which may put something where the next file is to be. Prints how many calls it made.
 */
#include <stdio.h>
#include <stdlib.h>

#include "agent/ranktrace.h"

int clEnqueueNDRangeKernel(void *queue, void *kernel, unsigned int dimensions, const size_t *offset,
			   const size_t *global, const size_t *local, unsigned int waits, void *list,
			   void *event);

int main(int argc, char **argv)
{
	const size_t size = 64;
	int calls = 0;

	for (int step = 1; step < argc; step++) {
		ranktrace_begin_step(step);
		for (int i = 0; i < 10; i++, calls++)
			clEnqueueNDRangeKernel(NULL, argv, 1, NULL, &size, NULL, 0, NULL, NULL);
		if (system(argv[step]))
			return 1;
	}
	printf("%d calls\n", calls);
	return 0;
}
