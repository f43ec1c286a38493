/*
 * neighbours - threads that allocate, free and call, and children that do the same: what an allocator, a
 * sanitizer or another tool preloaded beside us must get along with. Prints a checksum.
 */
#include "tests/helpers/kill/fake_opencl.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS	 8
#define ROUNDS	 2000
#define CHILDREN 6

static void call(void)
{
	static char kernel[] = "neighbour";
	static const size_t size = 64;

	clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
}

/* Blocks of many sizes change hands between rounds; each is checked when it goes. */
static void *work(void *seed)
{
	unsigned char *kept[16] = { NULL };
	uintptr_t sum = 0, n = (uintptr_t)seed;

	for (int i = 0; i < ROUNDS; i++) {
		size_t at = i % 16, size = 1 + (n = n * 1103515245 + 12345) % 5000;

		call();
		if (kept[at])
			sum += kept[at][0];
		free(kept[at]);
		kept[at] = malloc(size);
		memset(kept[at], i, size);
	}
	for (int i = 0; i < 16; i++)
		free(kept[i]);
	return (void *)sum;
}

static unsigned long all_threads(void)
{
	pthread_t threads[THREADS];
	unsigned long sum = 0;
	void *result;

	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		sum += (uintptr_t)result;
	}
	return sum;
}

int main(void)
{
	unsigned long sum = all_threads();
	int bad = 0, status;

	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = fork();

		if (!child)
			_exit(work((void *)7) == NULL);
		waitpid(child, &status, 0);
		bad |= status;
	}
	printf("%lu %d\n", sum + all_threads(), bad);
	return bad != 0;
}
