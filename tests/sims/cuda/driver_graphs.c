/* driver_graphs.c - graphs: nodes, as captured or as added one by one; executable ones are copies. */
#include "tests/sims/cuda/driver.h"
#include <stdlib.h>
#include <string.h>

static int is_graph(CUgraph graph)
{
	return sim_is(graph, SIM_GRAPH) ? 0 : SIM_ERROR_INVALID_VALUE;
}

CUresult do_cuGraphCreate(CUgraph *phGraph, unsigned int flags)
{
	struct graph *g = calloc(1, sizeof(*g));

	g->magic = SIM_GRAPH;
	g->last = &g->first;
	*phGraph = g;
	return flags ? SIM_ERROR_INVALID_VALUE : 0;
}

CUresult do_cuGraphDestroy(CUgraph hGraph)
{
	struct graph *g = hGraph;

	if (is_graph(hGraph))
		return SIM_ERROR_INVALID_VALUE;
	for (struct node *n = g->first; n; n = n->next)
		if (n->child)
			do_cuGraphDestroy(n->child);
	return sim_graph_end(g);
}

static struct graph *copy_of(const struct graph *from)
{
	CUgraph made;
	struct graph *g;

	do_cuGraphCreate(&made, 0);
	g = made;
	for (struct node *n = from->first; n; n = n->next) {
		struct node *its = sim_graph_add(g, &n->task);

		its->child = n->child ? copy_of(n->child) : NULL;
	}
	return g;
}

CUresult do_cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph)
{
	if (is_graph(originalGraph))
		return SIM_ERROR_INVALID_VALUE;
	*phGraphClone = copy_of(originalGraph);
	return 0;
}

/* ---- nodes ---- */

CUresult do_cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes)
{
	struct graph *g = hGraph;
	size_t n = 0, room = nodes ? *numNodes : 0;

	if (is_graph(hGraph))
		return SIM_ERROR_INVALID_VALUE;
	for (struct node *node = g->first; node; node = node->next, n++)
		if (n < room)
			nodes[n] = node;
	for (size_t i = n; i < room; i++)
		nodes[i] = NULL;
	*numNodes = nodes && n > room ? room : n;
	return 0;
}

CUresult do_cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes)
{
	struct graph *g = hGraph;

	if (is_graph(hGraph))
		return SIM_ERROR_INVALID_VALUE;
	if (rootNodes && *numRootNodes)
		rootNodes[0] = g->first;
	*numRootNodes = g->first != NULL;
	return 0;
}

CUresult do_cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type)
{
	*type = (int)((struct node *)hNode)->task.kind;
	return 0;
}

CUresult do_cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph)
{
	*phGraph = ((struct node *)hNode)->child;
	return *phGraph ? 0 : SIM_ERROR_INVALID_VALUE;
}

/* Pointers to parameters stay as long as the node. */
CUresult do_cuGraphKernelNodeGetParams_v2(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v2 *nodeParams)
{
	struct node *n = hNode;
	const struct launch *l = n->task.args;
	struct sim_node_v2 *to = (void *)nodeParams;

	if (n->task.kind != SIM_KERNEL)
		return SIM_ERROR_INVALID_VALUE;
	if (!n->kept)
		n->kept = driver_params(l, calloc(SIM_PARAMS, sizeof(void *)));
	*to = (struct sim_node_v2){ .func = l->function, .shared = l->shared, .params = l->has_params ? n->kept : NULL };
	memcpy(to->grid, l->grid, sizeof(to->grid));
	memcpy(to->block, l->block, sizeof(to->block));
	return 0;
}

CUresult do_cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
	struct sim_node_v2 params;
	int rc = do_cuGraphKernelNodeGetParams_v2(hNode, (void *)&params);

	if (!rc)
		memcpy(nodeParams, &params, sizeof(struct sim_node_v1));
	return rc;
}

static struct sim_node_v2 of_v1(const CUDA_KERNEL_NODE_PARAMS_v1 *given)
{
	struct sim_node_v2 params = { 0 };

	memcpy(&params, given, sizeof(struct sim_node_v1));
	return params;
}

static int task_of(const struct sim_node_v2 *p, bool has_kernel, struct sim_task *task)
{
	return driver_launch_of(p->func || !has_kernel ? p->func : p->kern, p->grid, p->block, p->shared, p->params, task);
}

static int add_kernel(CUgraphNode *node, CUgraph graph, const struct sim_node_v2 *params, bool has_kernel)
{
	struct sim_task task;
	int rc = is_graph(graph);

	if (!rc)
		rc = task_of(params, has_kernel, &task);
	if (rc)
		return rc;
	*node = sim_graph_add(graph, &task);
	free((void *)task.args);
	return 0;
}

CUresult do_cuGraphAddKernelNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies,
				    const CUDA_KERNEL_NODE_PARAMS_v2 *nodeParams)
{
	return add_kernel(phGraphNode, hGraph, (const void *)nodeParams, true);
}

CUresult do_cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies,
				 const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
	struct sim_node_v2 params = of_v1(nodeParams);

	return add_kernel(phGraphNode, hGraph, &params, false);
}

/* A node gives its place to another one, which has the new parameters: who holds it goes on holding it. */
static int set(struct node *n, const struct sim_node_v2 *params, bool has_kernel)
{
	struct sim_task task;
	int rc = n->task.kind == SIM_KERNEL ? task_of(params, has_kernel, &task) : SIM_ERROR_INVALID_VALUE;

	if (rc)
		return rc;
	free(n->kept);
	n->kept = NULL;
	n->task = task; /* what it was told before lies in the node itself */
	return 0;
}

CUresult do_cuGraphKernelNodeSetParams_v2(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v2 *nodeParams)
{
	return set(hNode, (const void *)nodeParams, true);
}

CUresult do_cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
	struct sim_node_v2 params = of_v1(nodeParams);

	return set(hNode, &params, false);
}

/* The node of the executable graph is the one in the same place. */
static struct node *node_of(CUgraphExec executable, CUgraphNode node)
{
	struct node *its = is_graph(executable) ? NULL : ((struct graph *)executable)->first;

	for (struct node *n = ((struct node *)node)->owner->first; n != node && its; n = n->next)
		its = its->next;
	return its;
}

CUresult do_cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v2 *nodeParams)
{
	struct node *its = node_of(hGraphExec, hNode);

	return its ? set(its, (const void *)nodeParams, true) : SIM_ERROR_INVALID_VALUE;
}

CUresult do_cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
	struct node *its = node_of(hGraphExec, hNode);
	struct sim_node_v2 params = of_v1(nodeParams);

	return its ? set(its, &params, false) : SIM_ERROR_INVALID_VALUE;
}

CUresult do_cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled)
{
	struct node *its = node_of(hGraphExec, hNode);

	if (its)
		its->disabled = !isEnabled;
	return its ? 0 : SIM_ERROR_INVALID_VALUE;
}

CUresult do_cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies)
{
	if (is_graph(hGraph))
		return SIM_ERROR_INVALID_VALUE;
	*phGraphNode = sim_graph_add(hGraph, &(struct sim_task){ .kind = SIM_NOTHING, .name = "empty" });
	return 0;
}

CUresult do_cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies,
				     CUgraph childGraph)
{
	struct node *n;

	if (is_graph(hGraph) || is_graph(childGraph))
		return SIM_ERROR_INVALID_VALUE;
	n = sim_graph_add(hGraph, &(struct sim_task){ .kind = SIM_CHILD, .name = "graph" });
	n->child = copy_of(childGraph);
	*phGraphNode = n;
	return 0;
}

/* Work of the other kinds is captured in a stream of its own, and its node taken. */
static int add(CUgraphNode *node, CUgraph graph, int (*give)(const void *params, CUstream stream), const void *params)
{
	void *stream;
	int rc = is_graph(graph);

	if (rc || !driver_context())
		return rc ? rc : SIM_ERROR_INVALID_CONTEXT;
	sim_stream_new(&stream);
	((struct stream *)stream)->graph = graph;
	rc = give(params, stream);
	*node = rc ? NULL : (struct node *)((char *)((struct graph *)graph)->last - offsetof(struct node, next));
	sim_stream_end(stream);
	return rc;
}

static int give_copy(const void *params, CUstream stream)
{
	return do_cuMemcpy3DAsync_v2(params, stream);
}

static int give_fill(const void *params, CUstream stream)
{
	const CUDA_MEMSET_NODE_PARAMS_v1 *p = params;
	size_t bytes = p->elementSize * p->width * (p->height ? p->height : 1);

	if (p->elementSize == 4)
		return do_cuMemsetD32Async(p->dst, p->value, bytes / 4, stream);
	return do_cuMemsetD8Async(p->dst, (unsigned char)p->value, bytes, stream);
}

static int give_host(const void *params, CUstream stream)
{
	const CUDA_HOST_NODE_PARAMS_v1 *p = params;

	return do_cuLaunchHostFunc(stream, p->fn, p->userData);
}

CUresult do_cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies,
				 const CUDA_MEMCPY3D_v2 *copyParams, CUcontext ctx)
{
	return add(phGraphNode, hGraph, give_copy, copyParams);
}

CUresult do_cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies,
				 const CUDA_MEMSET_NODE_PARAMS_v1 *memsetParams, CUcontext ctx)
{
	return add(phGraphNode, hGraph, give_fill, memsetParams);
}

CUresult do_cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies,
			       const CUDA_HOST_NODE_PARAMS_v1 *nodeParams)
{
	return add(phGraphNode, hGraph, give_host, nodeParams);
}

/* ---- executable ones ---- */

CUresult do_cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec, CUgraph hGraph, unsigned long long flags)
{
	if (is_graph(hGraph))
		return SIM_ERROR_INVALID_VALUE;
	*phGraphExec = copy_of(hGraph);
	return 0;
}

CUresult do_cuGraphInstantiate_v2(CUgraphExec *phGraphExec, CUgraph hGraph, CUgraphNode *phErrorNode, char *logBuffer, size_t bufferSize)
{
	return do_cuGraphInstantiateWithFlags(phGraphExec, hGraph, 0);
}

CUresult do_cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph, CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams)
{
	return do_cuGraphInstantiateWithFlags(phGraphExec, hGraph, 0);
}

/* One with as many nodes of the same kinds takes the place of the other. */
static int update(CUgraphExec exec, CUgraph graph)
{
	struct graph *was = exec, *now;
	struct node *first, *a, *b;

	if (is_graph(exec) || is_graph(graph))
		return SIM_ERROR_INVALID_VALUE;
	for (a = was->first, b = ((struct graph *)graph)->first; a && b && a->task.kind == b->task.kind; a = a->next, b = b->next)
		;
	if (a || b)
		return 910; /* CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE */
	now = copy_of(graph);
	first = was->first;
	was->first = now->first;
	now->first = first;
	do_cuGraphDestroy(now);
	return 0;
}

CUresult do_cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo *resultInfo)
{
	int rc = update(hGraphExec, hGraph);

	*(int *)resultInfo = rc ? 1 : 0;
	return rc;
}

CUresult do_cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphNode *hErrorNode_out, CUgraphExecUpdateResult *updateResult_out)
{
	int rc = update(hGraphExec, hGraph);

	*updateResult_out = rc ? 1 : 0;
	return rc;
}

CUresult do_cuGraphExecDestroy(CUgraphExec hGraphExec)
{
	return do_cuGraphDestroy(hGraphExec);
}

CUresult do_cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags)
{
	*flags = 0;
	return is_graph(hGraphExec);
}

/* In a capture a launch is a graph in the graph. */
CUresult do_cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream)
{
	void *stream;
	struct stream *s;
	int rc = is_graph(hGraphExec);

	if (!rc)
		rc = driver_stream(hStream, &stream);
	if (!rc)
		rc = driver_may(stream);
	if (rc)
		return rc;
	s = stream;
	if (!s->graph)
		return sim_graph_launch(hGraphExec, stream);
	rc = sim_submit(stream, &(struct sim_task){ .kind = SIM_CHILD, .name = "graph" });
	((struct node *)((char *)s->graph->last - offsetof(struct node, next)))->child = copy_of(hGraphExec);
	return rc;
}

CUresult do_cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream)
{
	return is_graph(hGraphExec);
}
