/*
 * timed_launches.c - a program whose clock is its own. Each word is a move: N launches so often, KERNEL launches the kernel of this name once, +MS:
 * so many ms go by; make: a queue or stream is made; killed: it is; what stands between fork and join is a forked child's. NPU: launches are CANN's, of no kernel; one
 * with a name is the replay of a graph.
 */
#include "tests/lib/told_words.h"
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

static uint64_t went_by; /* ns */

int clock_gettime(clockid_t id, struct timespec *t)
{
	if (id != CLOCK_MONOTONIC_COARSE)
		return (int)syscall(SYS_clock_gettime, id, t);
	t->tv_sec = (time_t)(1000 + went_by / 1000000000);
	t->tv_nsec = (long)(went_by % 1000000000);
	return 0;
}

#ifdef NPU
int aclrtLaunchKernel(void *function, uint32_t blocks, const void *args, size_t size, void *stream);

int aclrtCreateStream(void **stream);
int aclmdlRICaptureBegin(void *stream, int mode);
int aclmdlRICaptureEnd(void *stream, void **graph);
int aclmdlRIExecuteAsync(void *graph, void *stream);

static void make(void)
{
	void *stream;

	aclrtCreateStream(&stream);
}

static void launch(const char *kernel)
{
	static void *stream, *graph;

	if (kernel && !graph) {
		aclrtCreateStream(&stream);
		aclmdlRICaptureBegin(stream, 1);
		aclmdlRICaptureEnd(stream, &graph);
	}
	if (kernel)
		aclmdlRIExecuteAsync(graph, stream);
	else
		aclrtLaunchKernel(NULL, 1, NULL, 0, NULL);
}
#else
int clEnqueueNDRangeKernel(void *, void *, unsigned int, const size_t *, const size_t *, const size_t *, unsigned int, void *const *, void **);
void *clCreateKernel(void *, const char *, int *);
void *clCreateCommandQueue(void *, void *, uint64_t, int *);

static void make(void)
{
	clCreateCommandQueue(NULL, NULL, 0, NULL);
}

static void launch(const char *kernel)
{
	static void *queue, *work, *other;
	const size_t size = 64;

	if (!queue) {
		queue = clCreateCommandQueue(NULL, NULL, 0, NULL);
		work = clCreateKernel(NULL, "work", NULL);
	}
	if (kernel && !other)
		other = clCreateKernel(NULL, kernel, NULL);
	clEnqueueNDRangeKernel(queue, kernel ? other : work, 1, NULL, &size, NULL, 0, NULL, NULL);
}
#endif

static void move(char *word, int i)
{
	(void)i;
	if (*word == '+')
		went_by += strtoull(word + 1, NULL, 10) * 1000000;
	else if (!strcmp(word, "make"))
		make();
	else if (!strcmp(word, "killed"))
		kill(getpid(), SIGKILL);
	else if (*word < '0' || *word > '9')
		launch(word);
	else
		for (long n = atol(word); n > 0; n--)
			launch(NULL);
}

int main(int argc, char **argv)
{
	return tell_words(argc, argv, move);
}
