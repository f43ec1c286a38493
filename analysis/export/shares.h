/*
 * shares.h - what an export is cut into: processes; where each window has a folder of its own, some of the windows of one; where they share
 * a file, a stretch of what one process has in it. Who writes such a part reads all that the process has, which takes a fifth of the time.
 */
#pragma once
#include "analysis/export/exporter.h"

struct share {
	struct process *process;
	size_t begin, end;	  /* its windows, by file */
	unsigned int part, parts; /* 0 of 1: all of these */
};

/* Nothing of the process stands before it. */
static inline bool share_is_first(const struct share *s)
{
	return !s->begin && !s->part;
}

/* Bytes of its files. */
uint64_t share_size(const struct share *s);

/* In the order of the trace. The caller frees it. */
struct share *shares_make(const struct export *e, size_t *count);
