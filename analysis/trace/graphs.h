/* graphs.h - what a graph consists of, as text and as JSON. */
#pragma once
#include "analysis/trace/defs.h"
#include "analysis/util/out.h"

/* 4*decode;2*copy;+3: kernels by their nodes, then how many more there are of others; GRAPH_LINE bytes at most, by ... in the end. */
#define GRAPH_LINE 1000
char *graph_line(const struct graph *g);

/* [{"name":"decode","nodes":4}] */
void graph_json(struct out *o, const struct graph *g);
