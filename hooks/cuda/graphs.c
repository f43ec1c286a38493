#include "hooks/cuda/graphs.h"
#include <string.h>
#include "agent/os/pages.h"
#include "agent/record/recent_keys.h"
#include "hooks/capture/graph_kernels.h"
#include "hooks/capture/pairs/vendor_times.h"
#include "hooks/cuda/time/time.h"
#include "hooks/cuda/tracking/tracking.h"
#include "hooks/link/resolve.h"

enum { CU_GRAPH_NODE_TYPE_KERNEL = 0,
       CU_GRAPH_NODE_TYPE_GRAPH = 4 };
#define DEEPEST	 16 /* graphs in graphs */
#define KNOWN	 64
#define FOR_GOOD 1 /* nobody knows what it consists of, after an update neither: a disabled node is none that works */

static struct handles executables;  /* a = generation << 32 | DEF_LAUNCH id, b = address of what it consists of; 0: a node's change cannot be told; or FOR_GOOD */
static struct handles changed_ones; /* executables with changed nodes: a = address of a copy of its own, as it is now, b = key of the last one in `changed` */
static struct handles changed;	    /* executable and node: a = DEF_STRING id, b = key of the next one of the executable */
static struct handles altered;	    /* nodes of graphs: a = the last alteration of theirs */
static struct handles made;	    /* executables: a = the last alteration of any graph by then */
static _Atomic uint64_t alterations;

/* ---- what the driver says ---- */

struct reading {
	CUresult (*nodes)(CUgraph, CUgraphNode *, size_t *);
	CUresult (*type)(CUgraphNode, int32_t *);
	CUresult (*params)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v2 *); /* or an older one, of which they are the beginning */
	CUresult (*child)(CUgraphNode, CUgraph *);
	size_t left; /* nodes that will still be looked at */
	struct known {
		const void *function;
		uint64_t name;
	} known[KNOWN]; /* what was just asked: many nodes are of few kernels */
	struct graph_kernels found;
};

static bool find(struct reading *r)
{
	static _Atomic(void *) nodes, type, params, old_params, child;

	r->nodes = hook_vendor(&nodes, "cuGraphGetNodes");
	r->type = hook_vendor(&type, "cuGraphNodeGetType");
	r->params = hook_vendor(&params, "cuGraphKernelNodeGetParams_v2");
	if (!r->params)
		r->params = hook_vendor(&old_params, "cuGraphKernelNodeGetParams");
	r->child = hook_vendor(&child, "cuGraphChildGraphNodeGetGraph");
	return r->nodes && r->type && r->params && r->child;
}

/*
 * Drivers before 12.3 tell no names, but the runtime may know by which stub the program launched it. A question that fails
 * would be the last error of the program's own calls.
 */
static uint64_t name_by_runtime(CUgraphNode node)
{
	static _Atomic(void *) params, peek, forget;
	cudaError_t (*get_params)(cudaGraphNode_t, cudaKernelNodeParams *) = hook_vendor(&params, "cudaGraphKernelNodeGetParams");
	cudaError_t (*peek_at_error)(void) = hook_vendor(&peek, "cudaPeekAtLastError");
	cudaError_t (*forget_error)(void) = hook_vendor(&forget, "cudaGetLastError");
	cudaKernelNodeParams its = { 0 };

	if (!get_params || !peek_at_error || !forget_error || peek_at_error())
		return 0;
	if (!get_params(node, &its))
		return kernels_known_name(&cuda_kernels, its.func);
	forget_error();
	return 0;
}

static uint64_t kernel_of(struct reading *r, CUgraphNode node)
{
	CUDA_KERNEL_NODE_PARAMS_v2 its = { 0 };
	const void *function;
	struct known *k;

	if (r->params(node, &its))
		return 0;
	function = its.func ? its.func : its.kern;
	k = &r->known[(uintptr_t)function / 16 % KNOWN];
	if (!function || k->function != function) {
		*k = (struct known){ function, kernels_name(&cuda_kernels, function) };
		if (!k->name)
			k->name = name_by_runtime(node);
	}
	return k->name;
}

/* ---- nodes that were changed ---- */

static uint64_t changed_key(CUgraphExec executable, CUgraphNode node)
{
	return recent_keys_of((uintptr_t)executable, (uintptr_t)node) | 1;
}

/* What an executable's copy of a node is. */
static uint64_t name_now(struct reading *r, CUgraphExec executable, CUgraphNode node)
{
	struct handle_slot *s = handles_get(&changed, changed_key(executable, node));

	return s ? atomic_load(&s->a) : kernel_of(r, node);
}

static struct handle_slot *own_of(CUgraphExec executable)
{
	return handles_get(&changed_ones, (uintptr_t)executable);
}

static struct graph_kernels *copy_in(const struct handle_slot *own)
{
	return (struct graph_kernels *)(uintptr_t)atomic_load(&own->a);
}

static void note_changed(struct handle_slot *own, uint64_t key, uint64_t name)
{
	struct handle_slot *s = handles_get(&changed, key);

	if (s)
		atomic_store(&s->a, name);
	else if (handles_put(&changed, key, name, atomic_load(&own->b)))
		atomic_store(&own->b, key);
}

static void forget_changed(struct handle_slot *own)
{
	struct handle_slot *s;

	for (uint64_t key = atomic_load(&own->b); key && (s = handles_get(&changed, key)); handles_forget(s))
		key = atomic_load(&s->b);
	pages_give(copy_in(own), sizeof(struct graph_kernels));
	handles_forget(own);
}

/* ---- all of a graph ---- */

static void take_graph(struct reading *r, CUgraph graph, int depth);

static void take_node(struct reading *r, CUgraphNode node, int depth)
{
	CUgraph inside = NULL;
	int32_t type = -1;

	if (!node || r->type(node, &type))
		return;
	if (type == CU_GRAPH_NODE_TYPE_KERNEL)
		graph_kernels_add(&r->found, kernel_of(r, node));
	else if (type == CU_GRAPH_NODE_TYPE_GRAPH && depth < DEEPEST && !r->child(node, &inside))
		take_graph(r, inside, depth + 1);
}

static void take_graph(struct reading *r, CUgraph graph, int depth)
{
	size_t count = 0, n, room;
	CUgraphNode *nodes;

	if (r->nodes(graph, NULL, &count) || !count)
		return;
	r->found.graph.nodes += (uint32_t)count;
	n = count < r->left ? count : r->left;
	room = n * sizeof(*nodes);
	nodes = n ? pages_take(room) : NULL;
	if (!nodes)
		return;
	r->left -= n;
	if (!r->nodes(graph, nodes, &n))
		for (size_t i = 0; i < n; i++)
			take_node(r, nodes[i], depth);
	pages_give(nodes, room);
}

static bool may_read(struct reading *r)
{
	return record_may_learn() && find(r);
}

static void keep(CUgraphExec executable, uint64_t id, const struct graph_kernels *its)
{
	handles_put(&executables, (uintptr_t)executable, (uint64_t)session_generation << 32 | (uint32_t)id, (uintptr_t)its);
}

/* What it was updated by need not be what it was made of, whose nodes change it: which of its own is which nobody knows then. */
void cuda_graph_is(CUgraphExec executable, CUgraph graph)
{
	struct handle_slot *before = handles_get(&executables, (uintptr_t)executable);
	struct reading r = { .left = GRAPH_NODES };
	const struct graph_kernels *its;
	struct asking asking;
	uint64_t id;

	if (before && atomic_load(&before->b) == FOR_GOOD)
		return;
	cuda_graph_ends(executable);
	if (!executable || !may_read(&r))
		return;
	asking = asking_begin(cuda_times.calls);
	take_graph(&r, graph, 0);
	asking_end(cuda_times.calls, asking);
	id = graph_kernels_launch(&r.found, &its);
	handles_put(&made, (uintptr_t)executable, atomic_load(&alterations), 0);
	keep(executable, id, before ? NULL : its);
}

void cuda_graph_ends(CUgraphExec executable)
{
	struct handle_slot *own = own_of(executable);

	if (own)
		forget_changed(own);
	handles_forget(handles_get(&executables, (uintptr_t)executable));
	handles_forget(handles_get(&made, (uintptr_t)executable));
}

/* ---- changes of single nodes ---- */

void cuda_graph_altered(CUgraphNode node)
{
	handles_put(&altered, (uintptr_t)node, atomic_fetch_add(&alterations, 1) + 1, 0);
}

/* The graph's node is not what the executable's copy is any more. */
static bool is_altered(CUgraphExec executable, CUgraphNode node)
{
	struct handle_slot *n = handles_get(&altered, (uintptr_t)node), *e = handles_get(&made, (uintptr_t)executable);

	return n && (!e || atomic_load(&n->a) > atomic_load(&e->a));
}

static void unknown(CUgraphExec executable, uintptr_t how_long)
{
	cuda_graph_ends(executable);
	handles_put(&executables, (uintptr_t)executable, (uint64_t)session_generation << 32, how_long);
}

void cuda_graph_unknown(CUgraphExec executable)
{
	unknown(executable, FOR_GOOD);
}

/* Where its own copy of what it consists of is, which may be changed. NULL: not known, or there is no memory. */
static struct handle_slot *make_own(CUgraphExec executable, const struct handle_slot *s)
{
	const struct graph_kernels *its = (const void *)(uintptr_t)atomic_load(&s->b);
	struct handle_slot *own = own_of(executable);
	struct graph_kernels *copy;

	if (!its || atomic_load(&s->a) >> 32 != session_generation)
		return NULL;
	if (own)
		return own;
	copy = pages_take(sizeof(*copy));
	own = copy ? handles_put(&changed_ones, (uintptr_t)executable, (uintptr_t)copy, 0) : NULL;
	if (own)
		memcpy(copy, its, graph_kernels_size(its));
	else if (copy)
		pages_give(copy, sizeof(*copy));
	return own;
}

static uint64_t name_before(struct reading *r, CUgraphExec executable, CUgraphNode node)
{
	struct asking asking = asking_begin(cuda_times.calls);
	uint64_t name = name_now(r, executable, node);

	asking_end(cuda_times.calls, asking);
	return name;
}

void cuda_graph_node_is(CUgraphExec executable, CUgraphNode node, uint64_t name)
{
	struct handle_slot *s = handles_get(&executables, (uintptr_t)executable), *own;
	struct reading r = { .left = 0 };
	uint64_t before;

	if (!s || atomic_load(&s->b) == FOR_GOOD || !may_read(&r))
		return;
	if (is_altered(executable, node)) {
		unknown(executable, 0);
		return;
	}
	before = name_before(&r, executable, node);
	if (before == name)
		return;
	own = make_own(executable, s);
	if (!own || !graph_kernels_change(copy_in(own), before, name)) {
		unknown(executable, 0);
		return;
	}
	note_changed(own, changed_key(executable, node), name);
	atomic_store(&s->a, (uint64_t)session_generation << 32); /* to be told at a launch */
}

/* ---- launches ---- */

/* One whose nodes were changed since. */
static uint64_t changed_launch(CUgraphExec executable)
{
	struct handle_slot *own = own_of(executable);
	const struct graph_kernels *its;
	uint64_t id = own ? graph_kernels_launch(copy_in(own), &its) : 0;

	if (id)
		keep(executable, id, its);
	return id;
}

uint64_t cuda_graph_launch(CUgraphExec executable)
{
	struct handle_slot *s = handles_get(&executables, (uintptr_t)executable);
	uint64_t known = s ? atomic_load(&s->a) : 0;

	if (known >> 32 != session_generation)
		return 0;
	return (uint32_t)known ? (uint32_t)known : changed_launch(executable);
}
