/*
 * cuda_graph_gone.c - executable graphs of which it is not known any more what they consist of; and a launch of no kernel at all.
 */
#include "tests/sims/cuda/declare.h"
#include "tests/sims/cuda/load.h"

void ranktrace_step(int64_t step) __attribute__((weak));

static const struct sim_kernel code[] = { { .name = "first" }, { .name = "second" }, { .name = "third" }, { .name = NULL } };
static const struct sim_image image = { SIM_IMAGE, code };
static const struct sim_fat_binary fat = { SIM_FAT_BINARY, 1, &image, NULL };
static const char stubs[3][16];

static int launch(const char *stub, cudaStream_t stream)
{
	return cudaLaunchKernel(stub, (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, NULL, 0, stream);
}

static cudaGraph_t graph_of(int kernel, cudaStream_t stream)
{
	cudaGraph_t graph;

	OK(cudaStreamBeginCapture(stream, SIM_MODE_RELAXED));
	OK(launch(stubs[kernel], stream));
	OK(cudaStreamEndCapture(stream, &graph));
	return graph;
}

static void change(cudaGraphExec_t executable, cudaGraphNode_t node, int kernel)
{
	struct sim_node_rt params = { .func = (void *)stubs[kernel], .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } };

	OK(cudaGraphExecKernelNodeSetParams(executable, node, (void *)&params));
}

/* It outlives what it was updated from, and is changed by a node of what it was made of. */
static void updated(cudaStream_t stream)
{
	static char result[64];
	cudaGraph_t made_of = graph_of(0, stream), like = graph_of(1, stream);
	cudaGraphExec_t executable;
	cudaGraphNode_t node;
	size_t n = 1;

	OK(cudaGraphInstantiate(&executable, made_of, 0));
	OK(cudaGraphLaunch(executable, stream));
	OK(cudaGraphExecUpdate(executable, like, (void *)result));
	OK(cudaGraphDestroy(like));
	OK(cudaGraphLaunch(executable, stream));
	OK(cudaGraphGetNodes(made_of, &node, &n));
	change(executable, node, 2);
	OK(cudaGraphLaunch(executable, stream));
}

/* The graph's node is another kernel than the executable's, which changes; and one that was made after that is like the graph. */
static void altered(cudaStream_t stream)
{
	struct sim_node_rt params = { .func = (void *)stubs[1], .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } };
	cudaGraph_t graph = graph_of(0, stream);
	cudaGraphExec_t before, after;
	cudaGraphNode_t node;
	size_t n = 1;

	OK(cudaGraphInstantiate(&before, graph, 0));
	OK(cudaGraphGetNodes(graph, &node, &n));
	OK(cudaGraphKernelNodeSetParams(node, (void *)&params));
	OK(cudaGraphLaunch(before, stream));
	change(before, node, 2);
	OK(cudaGraphLaunch(before, stream));
	OK(cudaGraphInstantiate(&after, graph, 0));
	OK(cudaGraphLaunch(after, stream));
	change(after, node, 2);
	OK(cudaGraphLaunch(after, stream));
}

/* A disabled node does nothing, whatever the graph becomes. */
static void disabled(cudaStream_t stream)
{
	static char result[64];
	cudaGraph_t graph = graph_of(0, stream);
	cudaGraphExec_t executable;
	cudaGraphNode_t node;
	size_t n = 1;

	OK(cudaGraphInstantiate(&executable, graph, 0));
	OK(cudaGraphGetNodes(graph, &node, &n));
	OK(cudaGraphNodeSetEnabled(executable, node, 0));
	OK(cudaGraphLaunch(executable, stream));
	change(executable, node, 2);
	OK(cudaGraphLaunch(executable, stream));
	OK(cudaGraphExecUpdate(executable, graph, (void *)result));
	OK(cudaGraphLaunch(executable, stream));
}

int main(void)
{
	void **mine = register_kernels(&fat, stubs, code);
	cudaStream_t stream;

	OK(cudaStreamCreateWithFlags(&stream, SIM_STREAM_NON_BLOCKING));
	if (ranktrace_step)
		ranktrace_step(1);
	updated(stream);
	altered(stream);
	disabled(stream);
	printf("of no kernel: %d\n", launch((const char *)-1, stream));
	OK(cudaStreamSynchronize(stream));
	__cudaUnregisterFatBinary(mine);
	return 0;
}
