/*
 * entry_points.h - the driver's functions by name and version, as cuGetProcAddress and its like hand them out: to every
 * static copy of the runtime, and to programs that are built to run on older drivers, too.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct entry_point {
	const char *name; /* without a suffix */
	int version;	  /* asked for, as 1000 * major + 10 * minor */
	uint64_t flags;	  /* entry_point.h */
	bool per_thread;  /* what is meant by no flag */
	const void *caller;
};

/* The call succeeded: puts our function in the place of the one that was answered, if that is one with a row. */
void cuda_entry_point(const struct entry_point *asked, void **answer);

/* Of the runtime that this thread has called last: what it answers itself, and the number in its soname; 0: not known. */
int cuda_runtime_version(void);
int cuda_major(const void *function);
