/*
 * graphs.h - executable graphs: the names of their kernels, which the driver is asked for when one is made or changed, as its graph
 * may be gone later.
 */
#pragma once
#include <stdbool.h>
#include "hooks/cuda/abi/abi.h"

/* It was made of this graph just now, or updated to be like it. */
void cuda_graph_is(CUgraphExec executable, CUgraph graph);

/* Its copy of a node of that graph is another kernel now. name: DEF_STRING id; 0: not known. */
void cuda_graph_node_is(CUgraphExec executable, CUgraphNode node, uint64_t name);
void cuda_graph_ends(CUgraphExec executable);

/* A node of a graph is another one now; executables that were made of it are what they were. */
void cuda_graph_altered(CUgraphNode node);

/* It was changed in a way that is not told of; it stays unknown until it ends. */
void cuda_graph_unknown(CUgraphExec executable);

/* DEF_LAUNCH id of its launches; 0: not known. */
uint64_t cuda_graph_launch(CUgraphExec executable);
