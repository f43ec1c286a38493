/*
 * cuda_threads.c - threads that share CUDA's runtime or (DRIVER) driver. What goes wrong it says.
 *   launches N   two threads at once, and a third one when they are gone, launch a kernel of their own N times on each road: in a block of 1
 *                to the thread's stream by name (_ptsz), of 2 by handle 2, of 3 to a stream of their own
 *   captures N   a thread captures in the global mode, in which whatever another one asks may spoil the capture, once while a second thread
 *                begins, launches, ends a step and ends, and N times while it launches and
 *                copies, which waits
 */
#include "tests/sims/cuda/declare.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ranktrace_step(int64_t step) __attribute__((weak));

static const struct sim_kernel code[] = { { .name = "first" }, { .name = "second" }, { .name = "third" }, { .name = "captured" }, { .name = NULL } };
static const struct sim_image image = { SIM_IMAGE, code };
enum { FIRST,
       SECOND,
       THIRD,
       CAPTURED,
       KERNELS };

#include "tests/sims/cuda/load.h"

#ifdef DRIVER
typedef CUstream stream;
typedef CUgraph graph;
static CUfunction functions[KERNELS];
static CUcontext context;

static void start(void)
{
	context = load_kernels(&image, code, functions);
}
#define ENTER()			 OK(cuCtxSetCurrent(context))
#define NEW(s)			 OK(cuStreamCreate(s, SIM_STREAM_NON_BLOCKING))
#define END(s)			 OK(cuStreamDestroy_v2(s))
#define WAIT(s)			 OK(cuStreamSynchronize(s))
#define BEGIN_CAPTURE(s)	 cuStreamBeginCapture_v2(s, SIM_MODE_GLOBAL)
#define END_CAPTURE(s, g)	 cuStreamEndCapture(s, g)
#define END_GRAPH(g)		 OK(cuGraphDestroy(g))
#define LAUNCH(kernel, block, s) cuLaunchKernel(functions[kernel], 1, 1, 1, block, 1, 1, 0, s, NULL, NULL)
#define OF_THREAD(kernel, block) cuLaunchKernel_ptsz(functions[kernel], 1, 1, 1, block, 1, 1, 0, NULL, NULL, NULL)
#define COPY()			 cuMemcpyDtoH_v2_ptds(here, (CUdeviceptr_v2)there, sizeof(here))
#else
typedef cudaStream_t stream;
typedef cudaGraph_t graph;
static const char functions[KERNELS][16]; /* their addresses stand for the kernels */
static const struct sim_fat_binary fat = { SIM_FAT_BINARY, 1, &image, NULL };

__attribute__((constructor)) static void registering(void)
{
	register_kernels(&fat, functions, code);
}
#define start()
#define ENTER()			 OK(cudaSetDevice(0))
#define NEW(s)			 OK(cudaStreamCreateWithFlags(s, SIM_STREAM_NON_BLOCKING))
#define END(s)			 OK(cudaStreamDestroy(s))
#define WAIT(s)			 OK(cudaStreamSynchronize(s))
#define BEGIN_CAPTURE(s)	 cudaStreamBeginCapture(s, SIM_MODE_GLOBAL)
#define END_CAPTURE(s, g)	 cudaStreamEndCapture(s, g)
#define END_GRAPH(g)		 OK(cudaGraphDestroy(g))
#define LAUNCH(kernel, block, s) cudaLaunchKernel(functions[kernel], (dim3){ 1, 1, 1 }, (dim3){ block, 1, 1 }, NULL, 0, s)
#define OF_THREAD(kernel, block) cudaLaunchKernel_ptsz(functions[kernel], (dim3){ 1, 1, 1 }, (dim3){ block, 1, 1 }, NULL, 0, NULL)
#define COPY()			 cudaMemcpy_ptds(here, there, sizeof(here), 2)
#endif
static char here[16], there[16];
#define THREAD_S ((stream)2)

static int times;
static pthread_barrier_t both;

/* ---- launches ---- */

static void *launching(void *kernel)
{
	int its = (int)(intptr_t)kernel;
	stream own;

	ENTER();
	NEW(&own);
	if (its != THIRD)
		pthread_barrier_wait(&both);
	for (int i = 0; i < times; i++) {
		OK(OF_THREAD(its, 1));
		OK(LAUNCH(its, 2, THREAD_S));
		OK(LAUNCH(its, 3, own));
	}
	WAIT(THREAD_S);
	WAIT(own);
	return NULL;
}

static pthread_t run(void *(*function)(void *), int kernel)
{
	pthread_t thread;

	OK(pthread_create(&thread, NULL, function, (void *)(intptr_t)kernel));
	return thread;
}

static void launches(void)
{
	pthread_t threads[] = { run(launching, FIRST), run(launching, SECOND) }, third;

	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	third = run(launching, THIRD);
	printf("%s place\n", third == threads[0] || third == threads[1] ? "the same" : "another");
	pthread_join(third, NULL);
}

/* ---- captures ---- */

static _Atomic bool done;

static void *beginning(void *kernel)
{
	stream own;

	(void)kernel;
	ENTER();
	NEW(&own);
	for (int i = 0; i < 10; i++)
		OK(LAUNCH(SECOND, 1, own));
	if (ranktrace_step)
		ranktrace_step(2);
	for (int i = 0; i < 10; i++)
		OK(LAUNCH(SECOND, 1, own));
	END(own);
	return NULL;
}

static void *going_on(void *kernel)
{
	stream own;

	(void)kernel;
	ENTER();
	NEW(&own);
	pthread_barrier_wait(&both);
	while (!done) {
		OK(LAUNCH(SECOND, 1, own));
		OK(COPY());
	}
	WAIT(own);
	return NULL;
}

static bool captured(stream own, void *(*meanwhile)(void *))
{
	graph g = NULL;
	int rc = BEGIN_CAPTURE(own);

	for (int i = 0; i < 5 && !rc; i++)
		rc = LAUNCH(CAPTURED, 1, own);
	if (meanwhile)
		pthread_join(run(meanwhile, SECOND), NULL);
	rc = END_CAPTURE(own, &g) ?: rc;
	if (g)
		END_GRAPH(g);
	return !rc;
}

static void captures(void)
{
	int broken = 0;
	pthread_t thread;
	stream own;

	ENTER();
	NEW(&own);
	printf("a capture is %s\n", captured(own, beginning) ? "whole" : "broken");
	thread = run(going_on, SECOND);
	pthread_barrier_wait(&both);
	for (int i = 0; i < times; i++)
		broken += !captured(own, NULL);
	done = true;
	pthread_join(thread, NULL);
	printf("%d of %d captures are broken\n", broken, times);
}

int main(int argc, char **argv)
{
	times = argc > 2 ? atoi(argv[2]) : 1;
	OK(pthread_barrier_init(&both, NULL, 2));
	start();
	if (ranktrace_step)
		ranktrace_step(1);
	if (argc > 1 && !strcmp(argv[1], "launches"))
		launches();
	else
		captures();
	return 0;
}
