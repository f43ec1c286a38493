/*
 * cuda_graphs.c - a decode loop as servers have it: kernels are captured once, and each step is a launch of the graph. By the runtime, or
 * (DRIVER) by the driver; PER_THREAD: on default streams of threads.
 *
 * Each step begins with a launch of `mark`, so that it is seen in SIM_TASKS:
 *   1  a graph with another one in it is made, and launched once
 *   2  it is launched five times
 *   3  it becomes another graph, and is launched three times
 *   4  another one is made, and a node becomes another kernel: two launches; and is what it was: one; then its graph is altered, which it
 *      does not see, and a node of its own: one
 *   5  it ends, and another graph has its handle: four launches
 *   6  as 1, with launches beside the capture
 */
#ifdef PER_THREAD
#define cudaGraphLaunch	       cudaGraphLaunch_ptsz
#define cudaStreamBeginCapture cudaStreamBeginCapture_ptsz
#define cudaStreamEndCapture   cudaStreamEndCapture_ptsz
#define cudaLaunchKernel       cudaLaunchKernel_ptsz
#define cudaMemsetAsync	       cudaMemsetAsync_ptsz
#define cudaStreamSynchronize  cudaStreamSynchronize_ptsz
#endif
#include "tests/sims/cuda/declare.h"
#include "tests/sims/cuda/load.h"

void ranktrace_step(int64_t step) __attribute__((weak));

enum { MARK,
       DECODE,
       ATTEND,
       SAMPLE,
       NORM,
       KERNELS };
static const struct sim_kernel code[] = { { .name = "mark" }, { .name = "_Z6decodePf" }, { .name = "_Z6attendPf" }, { .name = "_Z6samplePf" }, { .name = "_Z4normPf" }, { .name = NULL } };
static const struct sim_image image = { SIM_IMAGE, code };
static char memory[64];

#ifdef DRIVER
typedef CUgraph graph;
typedef CUgraphExec executable;
static CUstream own, beside;
static CUfunction functions[KERNELS];

static void start(void)
{
	load_kernels(&image, code, functions);
	OK(cuStreamCreate(&own, SIM_STREAM_NON_BLOCKING));
	OK(cuStreamCreate(&beside, SIM_STREAM_NON_BLOCKING));
}

#define BEGIN(mode)	      OK(cuStreamBeginCapture_v2(own, mode))
#define END(g)		      OK(cuStreamEndCapture(own, g))
#define LAUNCH(kernel, on)    OK(cuLaunchKernel(functions[kernel], 2, 1, 1, 32, 1, 1, 0, on, NULL, NULL))
#define FILL()		      OK(cuMemsetD8Async((CUdeviceptr)memory, 0, 64, own))
#define INSTANTIATE(e, g, by) OK((by) == 0 ? cuGraphInstantiate_v2(e, g, NULL, NULL, 0) : (by) == 1 ? cuGraphInstantiateWithFlags(e, g, 0) \
												    : cuGraphInstantiateWithParams(e, g, NULL))
#define REPLAY(e)	   OK(cuGraphLaunch(e, own))
#define UPDATE(e, g)	   OK(cuGraphExecUpdate_v2(e, g, (void *)result))
#define END_EXECUTABLE(e)  OK(cuGraphExecDestroy(e))
#define END_GRAPH(g)	   OK(cuGraphDestroy(g))
#define NODES(g, nodes, n) OK(cuGraphGetNodes(g, nodes, n))
#define WAIT()		   OK(cuStreamSynchronize(own))
static void change(executable e, CUgraphNode node, int kernel)
{
	struct sim_node_v2 p = { .func = functions[kernel], .grid = { 2, 1, 1 }, .block = { 32, 1, 1 } };

	OK(cuGraphExecKernelNodeSetParams_v2(e, node, (void *)&p));
}
static void alter(CUgraphNode node, int kernel)
{
	struct sim_node_v2 p = { .func = functions[kernel], .grid = { 2, 1, 1 }, .block = { 32, 1, 1 } };

	OK(cuGraphKernelNodeSetParams_v2(node, (void *)&p));
}
#else
typedef cudaGraph_t graph;
typedef cudaGraphExec_t executable;
#define CUgraphNode	      cudaGraphNode_t
static cudaStream_t own, beside;
static const char functions[KERNELS][16]; /* their addresses stand for the kernels */
static const struct sim_fat_binary fat = { SIM_FAT_BINARY, 1, &image, NULL };

__attribute__((constructor)) static void registering(void)
{
	register_kernels(&fat, functions, code);
}

static void start(void)
{
	OK(cudaSetDevice(0));
	OK(cudaStreamCreateWithFlags(&own, SIM_STREAM_NON_BLOCKING));
	OK(cudaStreamCreateWithFlags(&beside, SIM_STREAM_NON_BLOCKING));
}

#define BEGIN(mode)	      OK(cudaStreamBeginCapture(own, mode))
#define END(g)		      OK(cudaStreamEndCapture(own, g))
#define LAUNCH(kernel, on)    OK(cudaLaunchKernel(functions[kernel], (dim3){ 2, 1, 1 }, (dim3){ 32, 1, 1 }, NULL, 0, on))
#define FILL()		      OK(cudaMemsetAsync(memory, 0, 64, own))
#define INSTANTIATE(e, g, by) OK((by) == 0 ? cudaGraphInstantiate(e, g, 0) : (by) == 1 ? cudaGraphInstantiateWithFlags(e, g, 0) \
										       : cudaGraphInstantiateWithParams(e, g, NULL))
#define REPLAY(e)	   OK(cudaGraphLaunch(e, own))
#define UPDATE(e, g)	   OK(cudaGraphExecUpdate(e, g, (void *)result))
#define END_EXECUTABLE(e)  OK(cudaGraphExecDestroy(e))
#define END_GRAPH(g)	   OK(cudaGraphDestroy(g))
#define NODES(g, nodes, n) OK(cudaGraphGetNodes(g, nodes, n))
#define WAIT()		   OK(cudaStreamSynchronize(own))
static void change(executable e, cudaGraphNode_t node, int kernel)
{
	struct sim_node_rt p = { .func = (void *)functions[kernel], .grid = { 2, 1, 1 }, .block = { 32, 1, 1 } };

	OK(cudaGraphExecKernelNodeSetParams(e, node, (void *)&p));
}
static void alter(cudaGraphNode_t node, int kernel)
{
	struct sim_node_rt p = { .func = (void *)functions[kernel], .grid = { 2, 1, 1 }, .block = { 32, 1, 1 } };

	OK(cudaGraphKernelNodeSetParams(node, (void *)&p));
}
#endif

static char result[64];

static void step(int number)
{
	WAIT();
	if (ranktrace_step)
		ranktrace_step(number);
	LAUNCH(MARK, beside);
}

static void replay(executable e, int times)
{
	while (times--)
		REPLAY(e);
}

/* decode, fill, the kernels; and a graph with two norms, or none. among: launches on another stream */
static graph captured(const int *kernels, bool with_child, int among)
{
	executable inner = NULL;
	graph g;

	if (with_child) {
		BEGIN(SIM_MODE_RELAXED);
		LAUNCH(NORM, own);
		LAUNCH(NORM, own);
		END(&g);
		INSTANTIATE(&inner, g, 1);
		END_GRAPH(g);
	}
	BEGIN(SIM_MODE_RELAXED);
	LAUNCH(DECODE, own);
	FILL();
	while (among--)
		LAUNCH(SAMPLE, beside);
	for (; *kernels; kernels++)
		LAUNCH(*kernels, own);
	if (inner)
		REPLAY(inner);
	END(&g);
	if (inner)
		END_EXECUTABLE(inner);
	return g;
}

int main(void)
{
	graph first, second, third, sixth;
	executable e, mine, other, again;
	CUgraphNode nodes[8];
	size_t n = 8;

	start();
	step(1);
	first = captured((int[]){ ATTEND, ATTEND, SAMPLE, 0 }, true, 0);
	INSTANTIATE(&e, first, 0);
	replay(e, 1);
	step(2);
	replay(e, 5);
	step(3);
	second = captured((int[]){ SAMPLE, NORM, NORM, 0 }, true, 0);
	UPDATE(e, second);
	replay(e, 3);
	step(4);
	INSTANTIATE(&mine, second, 1);
	NODES(second, nodes, &n);
	change(mine, nodes[0], ATTEND);
	replay(mine, 2);
	change(mine, nodes[0], DECODE);
	replay(mine, 1);
	alter(nodes[0], ATTEND);
	change(mine, nodes[2], ATTEND);
	replay(mine, 1);
	step(5);
	END_GRAPH(first);
	third = captured((int[]){ NORM, 0 }, false, 0);
	END_EXECUTABLE(e);
	INSTANTIATE(&other, third, 2);
	printf("%s handle\n", other == e ? "the same" : "another");
	replay(other, 4);
	step(6);
	sixth = captured((int[]){ ATTEND, ATTEND, SAMPLE, 0 }, true, 3);
	INSTANTIATE(&again, sixth, 1);
	replay(again, 1);
	step(7);
	return 0;
}
