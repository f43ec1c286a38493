/* work.c - see work.h. What goes into a stream is pushed to the queue like operators. */
#include "tests/sims/ascend/train/work.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static aclrtFuncHandle kernel_a, kernel_b;
static aclmdlRI graph;
static aclrtStream graph_stream;
static void *device, *host; /* 4 KiB each */
static struct matrix in_graph = { { 1, 4 }, { 4, 1 }, NULL };
static void *stub_binary;
static const char stub; /* its address stands for a kernel */

static void push(void (*second)(struct request *))
{
	queue_push(&(struct request){ .second = second, .stream = op_stream });
}

/* ---- kernels: 3 aclrtLaunchKernel, 1 ...WithConfig, 1 rtKernelLaunch, 1 callback, 1 operator by name ---- */

static int called_back;

static void call_back(void *data)
{
	*(int *)data += 1;
}

static void launch(struct request *r)
{
	char args[64] = "";

	OK(aclrtLaunchKernel, kernel_a, 4, args, sizeof(args), r->stream);
	OK(aclrtLaunchKernel, kernel_b, 8, args, sizeof(args), r->stream);
	OK(aclrtLaunchKernel, kernel_a, 4, args, sizeof(args), r->stream);
	OK(aclrtLaunchKernelWithConfig, kernel_b, 2, r->stream, NULL, NULL, NULL);
	OK(rtKernelLaunch, &stub, 16, args, sizeof(args), NULL, r->stream);
	OK(aclrtLaunchCallback, call_back, &called_back, 1, r->stream);
	OK(aclopCompileAndExecute, "Cast", 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, NULL, r->stream);
	check(CALL(aclrtLaunchKernel, NULL, 4, args, sizeof(args), r->stream), "a launch of nothing", SIM_ERROR_RT_PARAM_INVALID);
}

void work_kernels(void)
{
	push(launch);
}

/* ---- copies: 3 aclrtMemcpy, of which one fails; 1 2d, 1 batch of 3, 1 memset, 1 memset of a stream ---- */

static void copy_in_stream(struct request *r)
{
	void *to[3] = { device, (char *)device + 256, (char *)device + 512 }, *from[3] = { host, host, host };
	size_t rooms[3] = { 64, 64, 64 }, sizes[3] = { 16, 32, 48 }, failed = 99;

	OK(aclrtMemset, device, 4096, 1, 1024);
	OK(aclrtMemsetAsync, device, 4096, 2, 2048, r->stream);
	OK(aclrtMemcpyBatchAsync, to, rooms, from, sizes, 3, NULL, NULL, 0, &failed, r->stream);
	OK(aclrtMemcpy2dAsync, device, 64, host, 32, 16, 8, ACL_MEMCPY_HOST_TO_DEVICE, r->stream);
}

void work_copies(void)
{
	push(copy_in_stream);
	queue_drain();
	OK(aclrtMemcpy, device, 4096, host, 100, ACL_MEMCPY_HOST_TO_DEVICE);
	OK(aclrtMemcpy, host, 4096, device, 200, ACL_MEMCPY_DEVICE_TO_HOST);
	check(CALL(aclrtMemcpy, device, 10, host, 300, ACL_MEMCPY_HOST_TO_DEVICE), "a copy without room", SIM_ERROR_RT_PARAM_INVALID);
}

/* ---- memory: 1 of the device, 1 of the host, 1 virtual ---- */

void work_memory(int step)
{
	void *memory, *pinned, *address, *piece;

	OK(aclrtMallocAlign32, &memory, 4096 * ((size_t)step + 1), 0);
	OK(aclrtMallocHost, &pinned, 512);
	OK(aclrtFree, memory);
	OK(aclrtFreeHost, pinned);
	OK(aclrtReserveMemAddress, &address, 4 << 20, 0, NULL, 1);
	OK(aclrtMallocPhysical, &piece, 2 << 20, NULL, 0);
	OK(aclrtMapMem, address, 2 << 20, 0, piece, 0);
	memset(address, step, 2 << 20);
	OK(aclrtUnmapMem, address);
	OK(aclrtFreePhysical, piece);
	OK(aclrtReleaseMemAddress, address);
}

/* ---- events: 2, and 3 kernels between them, whose time is known ---- */

static aclrtEvent first, second;

static void record_first(struct request *r)
{
	OK(aclrtRecordEvent, first, r->stream);
	for (int i = 0; i < 3; i++)
		OK(aclrtLaunchKernel, kernel_b, 1, NULL, 0, r->stream);
	OK(aclrtRecordEvent, second, r->stream);
}

void work_events(int step)
{
	float ms;
	int complete = 0;

	OK(aclrtCreateEventWithFlag, &first, SIM_EVENT_TIME_LINE);
	OK(aclrtCreateEventWithFlag, &second, SIM_EVENT_TIME_LINE);
	push(record_first);
	queue_drain();
	OK(aclrtSynchronizeEvent, second);
	OK(aclrtQueryEventStatus, second, &complete);
	OK(aclrtEventElapsedTime, &ms, first, second);
	printf("event %d %d %.6f\n", step, complete, (double)ms);
	OK(aclrtDestroyEvent, first);
	OK(aclrtDestroyEvent, second);
}

/* ---- a graph: a kernel, a fill and an operator, captured once, run twice a step ---- */

static void fill(struct request *r)
{
	float one = 1;

	OK(aclrtMemcpyAsync, in_graph.data, 16, &one, 4, ACL_MEMCPY_HOST_TO_DEVICE, r->stream);
}

static void capture(void)
{
	int status = -1;
	void *info = NULL;

	OK(aclmdlRICaptureBegin, graph_stream, 1);
	OK(aclrtLaunchKernel, kernel_a, 4, NULL, 0, graph_stream);
	OK(aclrtMemsetAsync, device, 4096, 3, 64, graph_stream);
	op_stream = graph_stream;
	op_adds(&in_graph, 1, &in_graph);
	queue_drain();
	OK(aclmdlRICaptureGetInfo, graph_stream, &status, &info);
	check(CALL(aclrtSynchronizeStream, graph_stream), "waiting for a captured stream", SIM_ERROR_RT_STREAM_CAPTURED);
	OK(aclmdlRICaptureEnd, graph_stream, &graph);
	check(status == 1 && info == graph ? 0 : 1, "the capture's state", 0);
}

static void replay(struct request *r)
{
	OK(aclmdlRIExecuteAsync, graph, r->stream);
	OK(aclmdlRIExecuteAsync, graph, r->stream);
}

void work_graph(void)
{
	push(replay);
}

/* ---- begin and end ---- */

void work_start(void)
{
	aclrtStream stream = op_stream;
	aclrtBinHandle binary;

	OK(aclrtMallocAlign32, &device, 4096, 0);
	OK(aclrtMallocHost, &host, 4096);
	OK(aclrtMallocAlign32, &in_graph.data, 16, 0);
	OK(aclrtMemset, in_graph.data, 16, 0, 16);
	OK(aclrtBinaryLoadFromData, "binary", 6, NULL, &binary);
	OK(aclrtBinaryGetFunction, binary, "user_kernel_a", &kernel_a);
	OK(aclrtBinaryGetFunction, binary, "user_kernel_b", &kernel_b);
	OK(rtDevBinaryRegister, NULL, &stub_binary);
	OK(rtFunctionRegister, stub_binary, &stub, "user_stub", NULL, 0);
	OK(aclrtCreateStreamWithConfig, &graph_stream, 0, 3);
	capture();
	op_stream = stream;
	push(fill);
	queue_drain();
}

void work_end(void)
{
	float result[4];

	OK(aclrtMemcpy, result, sizeof(result), in_graph.data, sizeof(result), ACL_MEMCPY_DEVICE_TO_HOST);
	printf("graph %g %g\ncalled back %d\n", (double)result[0], (double)result[1], called_back);
	OK(aclmdlRIDestroy, graph);
	OK(aclrtDestroyStream, graph_stream);
	OK(aclrtFree, in_graph.data);
	OK(aclrtFree, device);
	OK(aclrtFreeHost, host);
}
