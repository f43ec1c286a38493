/*
 * cuda_strays.c - a kernel that runs for long ("long"), and before it a short one that nobody tells ("stray"): its time is not to be
 * the long one's. The program waits for another stream at once, and for the long one when that has ended.
 *   between    the stray is launched in step 2, which is not to be recorded, the long one in step 3
 *   captured   the stray is launched on another stream while one is captured
 *   graph      stray and long are a graph
 *   threads    sixty threads, one after the other, launch "short" once each
 */
#include "tests/sims/cuda/declare.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LONG_NS	 30000000
#define STRAY_NS 10000
#define THREADS	 60

void ranktrace_step(int64_t step) __attribute__((weak));

static const struct sim_kernel code[] = { { .name = "stray" }, { .name = "long" }, { .name = "short" }, { .name = NULL } };
static const struct sim_image image = { SIM_IMAGE, code };
enum { STRAY,
       LONG,
       SHORT,
       KERNELS };

#include "tests/sims/cuda/load.h"

static const char functions[KERNELS][16]; /* their addresses stand for the kernels */
static const struct sim_fat_binary fat = { SIM_FAT_BINARY, 1, &image, NULL };
static cudaStream_t busy, idle, captured;

__attribute__((constructor)) static void registering(void)
{
	register_kernels(&fat, functions, code);
}

static void step(int n)
{
	if (ranktrace_step)
		ranktrace_step(n);
}

static void launch(int kernel, uint64_t ns, cudaStream_t stream)
{
	void (*work_takes)(uint64_t) = (void (*)(uint64_t))dlsym(RTLD_DEFAULT, "sim_work_takes");

	work_takes(ns);
	OK(cudaLaunchKernel(functions[kernel], (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, NULL, 0, stream));
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* What is told by the first two waits is told while the long kernel runs. */
static void wait_twice(void)
{
	uint64_t end = now() + 2ull * LONG_NS;

	OK(cudaStreamSynchronize(idle));
	OK(cudaStreamSynchronize(idle));
	while (now() < end)
		;
	OK(cudaDeviceSynchronize());
}

static void between(void)
{
	launch(SHORT, STRAY_NS, busy);
	OK(cudaDeviceSynchronize());
	step(2);
	launch(STRAY, STRAY_NS, busy);
	step(3);
	launch(LONG, LONG_NS, busy);
}

static cudaGraph_t capture(int kernels)
{
	cudaGraph_t graph;

	OK(cudaStreamBeginCapture(captured, SIM_MODE_RELAXED));
	launch(STRAY, STRAY_NS, kernels > 1 ? captured : busy);
	if (kernels > 1)
		launch(LONG, LONG_NS, captured);
	OK(cudaStreamEndCapture(captured, &graph));
	return graph;
}

static void run_graph(void)
{
	cudaGraphExec_t graph;

	OK(cudaGraphInstantiateWithFlags(&graph, capture(2), 0));
	OK(cudaGraphLaunch(graph, busy));
}

static void *launching(void *unused)
{
	OK(cudaSetDevice(0));
	launch(SHORT, STRAY_NS, busy);
	return unused;
}

static void one_after_the_other(void)
{
	pthread_t thread;

	for (int i = 0; i < THREADS; i++) {
		pthread_create(&thread, NULL, launching, NULL);
		pthread_join(thread, NULL);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	OK(cudaStreamCreateWithFlags(&busy, SIM_STREAM_NON_BLOCKING));
	OK(cudaStreamCreateWithFlags(&idle, SIM_STREAM_NON_BLOCKING));
	OK(cudaStreamCreateWithFlags(&captured, SIM_STREAM_NON_BLOCKING));
	step(1);
	launch(SHORT, STRAY_NS, busy); /* the first one sets up what others find */
	if (!strcmp(what, "between")) {
		between();
	} else if (!strcmp(what, "captured")) {
		capture(1);
		launch(LONG, LONG_NS, busy);
	} else if (!strcmp(what, "graph")) {
		run_graph();
	} else {
		one_after_the_other();
	}
	wait_twice();
	return 0;
}
