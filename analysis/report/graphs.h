/* graphs.h - launches of graphs by what they consist of, and calls whose work a graph keeps. */
#pragma once
#include "analysis/report/launch_rows.h"

struct graphs {			 /* what the section keeps */
	struct launch_rows rows; /* first; a row's name tells nodes, and kernels behind them, a line each */
	uint64_t captured;
};

/* A call, and a device time of one; nothing of those of other kinds. */
void graphs_take(struct graphs *g, const struct trace_event *ev);
void graphs_time(struct graphs *g, const struct trace_device *dev);
