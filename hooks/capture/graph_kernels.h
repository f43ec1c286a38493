/* graph_kernels.h - what a graph consists of, by the names of its kernels: told beside the DEF_LAUNCH of its launches. Any vendor's. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/format/trace_file.h"

struct graph_kernels {
	struct def_graph graph;
	struct def_graph_kernel list[GRAPH_NAMES];
};

/* One more node that is a kernel. name: DEF_STRING id; 0: not known. */
void graph_kernels_add(struct graph_kernels *g, uint64_t name);

/* One that was `before` is `after` now. False: there was none. */
bool graph_kernels_change(struct graph_kernels *g, uint64_t before, uint64_t after);

/* Bytes that tell all of it. */
size_t graph_kernels_size(const struct graph_kernels *g);

/* DEF_LAUNCH id of launches of such a graph; 0: there is no room. kept: as much of it as graph_kernels_size() says, for good; NULL: none. */
uint64_t graph_kernels_launch(const struct graph_kernels *g, const struct graph_kernels **kept);
