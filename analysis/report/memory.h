/* memory.h - memory that was handed out and given back, summed up in order of time. */
#pragma once
#include "analysis/trace/live_memory.h"
#include "analysis/report/memory_growth.h"
#include "analysis/report/report.h"

/* What an entry point handed out, and nobody gave back. */
struct unfreed_row {
	char *name;
	uint64_t count, bytes;
};

struct memory { /* what the section keeps */
	struct memory_sum all, places[PLACES];
	struct memory_growth growth, there[PLACES]; /* of all, and by where it is */
	size_t unfreed_count;
	struct unfreed_row *unfreed; /* by name */
	size_t allocator_count;
	struct allocator_row *allocators; /* of frameworks: by name and device */
	struct memory_reading *reading;	  /* while events come in */
};
