/* memory.h - memory that was handed out and given back, summed up in order of time. */
#pragma once
#include "analysis/report/report.h"

struct memory_sums {
	struct report *report;
	struct process *process;
	bool pinned;		    /* it has functions that hand out memory of the host */
	struct sorter sorter;	    /* struct memory_event by time */
	struct table live;	    /* uint64_t bytes + 1 by address: of all memory */
	struct table there[PLACES]; /* the same by where it is, once that differs */
	bool apart;		    /* it does */
	struct table allocators;    /* struct allocator_row by name and device */
};

void memory_sums_init(struct memory_sums *m, struct report *r, struct process *p);

/* An allocation or a free, of the vendor's or of a framework's allocator. */
void memory_sums_take(struct memory_sums *m, const struct trace_event *ev);
void memory_sums_piece(struct memory_sums *m, const struct trace_piece *piece);

/* Hands the sums over to the report. */
void memory_sums_finish(struct memory_sums *m);
