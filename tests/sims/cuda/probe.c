/* probe.c - what the simulated CUDA answers where it is not plain: clocks, captures, the resolver, several devices. RUNTIME_ALONE: without the driver and NCCL. */
#define DECLARED "libcudart.so.13.def"
#include "tests/sims/cuda/declare.h"
#ifndef RUNTIME_ALONE
#undef DECLARED
#define DECLARED "libcuda.so.1.def"
#include "tests/sims/cuda/declare.h"
#undef DECLARED
#define DECLARED "libnccl.so.2.def"
#include "tests/sims/cuda/declare.h"
#endif
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static cudaStream_t own, other, blocking;
static cudaEvent_t a, b;
static void *memory;

static void say(const char *what, int rc)
{
	printf("%s %d\n", what, rc);
}

static void work(cudaStream_t stream, int n)
{
	while (n--)
		cudaMemsetAsync(memory, 0, 64, stream);
}

static float between(cudaStream_t first, cudaStream_t second, void (*middle)(void))
{
	float ms = -1;

	cudaDeviceSynchronize();
	cudaEventRecord(a, first);
	middle();
	cudaEventRecord(b, second);
	cudaEventElapsedTime(&ms, a, b);
	return ms;
}

/* ---- clocks: a fill takes 1000 ns ---- */

static void three_beside(void)
{
	work(own, 3);
}

static void three_and_legacy(void)
{
	work(blocking, 3);
	work(NULL, 2);
}

static void legacy_and_three(void)
{
	work(NULL, 2);
	work(blocking, 3);
}

static void clocks(void)
{
	printf("beside %.6f\n", (double)between(other, other, three_beside));
	printf("the default stream waits %.6f\n", (double)between(NULL, NULL, three_and_legacy));
	printf("and is waited for %.6f\n", (double)between(blocking, blocking, legacy_and_three));
	printf("not by all %.6f\n", (double)between(other, own, legacy_and_three));
}

/* ---- captures ---- */

static int status_of(cudaStream_t stream)
{
	int status = -1, rc = cudaStreamIsCapturing(stream, &status);

	return rc ? rc : status;
}

/* What a question costs a capture of this mode. */
static void ask(const char *what, int mode, int (*question)(void))
{
	cudaGraph_t graph = &graph;
	int rc;

	cudaStreamBeginCapture(own, mode);
	work(own, 1);
	rc = question();
	printf("%s: %d, then %d", what, rc, cudaMemsetAsync(memory, 0, 64, own));
	rc = cudaStreamEndCapture(own, &graph);
	printf(", ends %d %s\n", rc, graph ? "with a graph" : "without");
	if (graph)
		cudaGraphDestroy(graph);
	cudaGetLastError();
}

static int query_it(void)
{
	return cudaStreamQuery(own);
}

static int query_event(void)
{
	return cudaEventQuery(a);
}

static int query_captured(void)
{
	cudaEventRecord(b, own);
	return cudaEventQuery(b);
}

static int allocate(void)
{
	void *more = NULL;
	int rc = cudaMalloc(&more, 64);

	if (more)
		cudaFree(more);
	return rc;
}

static int relaxed(void)
{
	int mode = SIM_MODE_RELAXED, rc;

	cudaThreadExchangeStreamCaptureMode(&mode);
	rc = cudaEventQuery(a);
	cudaThreadExchangeStreamCaptureMode(&mode);
	return rc;
}

static void *in_thread(void *question)
{
	return (void *)(intptr_t)((int (*)(void))question)();
}

static int elsewhere(void)
{
	pthread_t thread;
	void *rc;

	pthread_create(&thread, NULL, in_thread, query_event);
	pthread_join(thread, &rc);
	return (int)(intptr_t)rc;
}

static int unjoined(void)
{
	cudaEventRecord(b, own);
	cudaStreamWaitEvent(other, b, 0);
	work(other, 1);
	return status_of(other);
}

static int wait_for_all(void)
{
	return cudaDeviceSynchronize();
}

static void captures(void)
{
	cudaGraph_t graph;

	cudaEventRecord(a, other);
	ask("a question about it", SIM_MODE_RELAXED, query_it);
	ask("about an event in it", SIM_MODE_RELAXED, query_captured);
	ask("about another event", SIM_MODE_GLOBAL, query_event);
	ask("that another thread asks", SIM_MODE_GLOBAL, elsewhere);
	ask("and it is not its business", SIM_MODE_THREAD_LOCAL, elsewhere);
	ask("by a relaxed thread", SIM_MODE_GLOBAL, relaxed);
	ask("memory", SIM_MODE_GLOBAL, allocate);
	ask("memory while relaxed", SIM_MODE_RELAXED, allocate);
	ask("waiting for all", SIM_MODE_RELAXED, wait_for_all);
	ask("work on the side", SIM_MODE_RELAXED, unjoined);
	say("a capture of the default stream", cudaStreamBeginCapture(NULL, SIM_MODE_GLOBAL));
	cudaStreamBeginCapture(blocking, SIM_MODE_RELAXED);
	say("work for the default stream meanwhile", cudaMemsetAsync(memory, 0, 64, NULL));
	say("makes it invalid", status_of(blocking));
	say("so it ends", cudaStreamEndCapture(blocking, &graph));
	say("no capture ends", cudaStreamEndCapture(own, &graph));
	say("the last error", cudaGetLastError());
}

#ifndef RUNTIME_ALONE
/* ---- the resolver ---- */

/* Of these only the names are known. */
extern int old_memory(void) __asm__("cuMemAlloc");
extern int not_there(void) __asm__("cuArrayCreate_v2");

static void resolve(const char *name, int version, uint64_t flags, const void *wanted)
{
	void *found = NULL;
	int status = -1, rc = cuGetProcAddress_v2(name, &found, version, flags, &status);

	printf("%s %d %d: %d %d %s\n", name, version, (int)flags, rc, status, !found ? "none" : found == wanted ? "right"
														: "another");
}

static void resolver(void)
{
	void *found = NULL;
	int status;

	resolve("cuMemAlloc", 2000, 0, old_memory);
	resolve("cuMemAlloc", 3019, 0, old_memory);
	resolve("cuMemAlloc", 12000, 0, cuMemAlloc_v2);
	resolve("cuLaunchKernel", 12080, 1, cuLaunchKernel);
	resolve("cuLaunchKernel", 12080, 2, cuLaunchKernel_ptsz);
	resolve("cuMemAlloc", 12080, 2, cuMemAlloc_v2);
	resolve("cuMemcpyBatchAsync", 12080, 0, cuMemcpyBatchAsync);
	resolve("cuMemcpyBatchAsync", 13000, 0, cuMemcpyBatchAsync_v2);
	resolve("cuLaunchKernelEx", 11000, 0, NULL);
	resolve("cuNobody", 13000, 0, NULL);
	say("of the runtime", cudaGetDriverEntryPoint("cuMemAlloc", &found, 0, &status));
	printf("%s\n", found == cuMemAlloc_v2 ? "right" : "another");
	say("a table", cuGetExportTable((const void **)&found, &(CUuuid){ "?" }));
	say("what is not there", not_there());
}

/* ---- one thread with all devices; more in a group than a kernel's parameters hold ---- */

static void groups(void)
{
	ncclComm_t comms[2];
	float *to[2], from[2] = { 1, 20 }, sum = 0;
	cudaStream_t streams[2];

	say("communicators", ncclCommInitAll(comms, 2, NULL));
	for (int i = 0; i < 2; i++) {
		cudaSetDevice(i);
		cudaStreamCreate(&streams[i]);
		cudaMalloc((void **)&to[i], 4);
	}
	ncclGroupStart();
	for (int n = 0; n < 10; n++)
		for (int i = 0; i < 2; i++)
			ncclAllReduce(&from[i], to[i], 1, SIM_NCCL_FLOAT, SIM_NCCL_SUM, comms[i], streams[i]);
	*to[0] = 5;
	printf("nothing yet %g\n", (double)*to[0]);
	say("a group", ncclGroupEnd());
	for (int i = 0; i < 2; i++)
		cudaMemcpy(&sum, to[i], 4, 2);
	printf("sum %g\n", (double)sum);
	say("no group ends", ncclGroupEnd());
	say("no communicator", ncclAllReduce(from, to[0], 1, SIM_NCCL_FLOAT, SIM_NCCL_SUM, NULL, NULL));
}

#endif

int main(int argc, char **argv)
{
	int n = 0, device = -1;

#ifndef RUNTIME_ALONE
	if (argc > 1 && !strcmp(argv[1], "resolver")) {
		resolver();
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "groups")) {
		groups();
		return 0;
	}
#endif
	cudaGetDeviceCount(&n);
	say("devices", n);
	say("the last one", cudaSetDevice(n - 1));
	say("one more", cudaSetDevice(n));
	cudaGetDevice(&device);
	say("is", device);
	cudaMalloc(&memory, 64);
	cudaStreamCreateWithFlags(&own, SIM_STREAM_NON_BLOCKING);
	cudaStreamCreateWithFlags(&other, SIM_STREAM_NON_BLOCKING);
	cudaStreamCreate(&blocking);
	cudaEventCreate(&a);
	cudaEventCreate(&b);
	clocks();
	captures();
	return 0;
}
