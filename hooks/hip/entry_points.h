/* entry_points.h - HIP's functions by name, as hipGetProcAddress and its like hand them out. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct entry_point {
	const char *name;
	uint64_t flags;	 /* entry_point.h */
	bool per_thread; /* what is meant by no flag */
	const void *caller;
};

/* The call succeeded: puts our function in the place of the one that was answered, if that is one with a row. */
void hip_entry_point(const struct entry_point *asked, void **answer);
