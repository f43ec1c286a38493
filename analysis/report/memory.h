/* memory.h - memory that was handed out and given back, summed up in order of time. */
#pragma once
#include "analysis/trace/live_memory.h"
#include "analysis/report/report.h"

struct memory { /* what the section keeps */
	struct memory_sum all, places[PLACES];
	size_t allocator_count;
	struct allocator_row *allocators; /* of frameworks: by name and device */
	struct memory_reading *reading;	  /* while events come in */
};
