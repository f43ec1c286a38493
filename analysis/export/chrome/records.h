/* records.h - the records of Chrome's JSON trace format, one a line. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "analysis/trace/defs.h"
#include "analysis/trace/event_fields.h"
#include "analysis/util/out.h"

struct records {
	struct out *out;
	uint64_t base;	 /* ns since the Unix epoch at ts 0 */
	uint32_t tracks; /* numbered over all processes: threads must not clash */
	bool comma;
};

/* Metadata: what a process or track is called, and where it stands among its like. */
void records_name(struct records *r, const char *what, uint32_t pid, uint32_t track,
		  const char *text);
void records_order(struct records *r, const char *what, uint32_t pid, uint32_t track,
		   int64_t index);

/* A new named track of a process. */
uint32_t records_track(struct records *r, uint32_t pid, const char *title, int64_t index);

/* A slice, open for arguments: the caller ends it by one '}' for it and one for its arguments. */
void records_slice(struct records *r, uint32_t pid, uint32_t track, const char *title,
		   const char *category, uint64_t begin, uint64_t duration);
/* A mark on a track, of no length; open for arguments as a slice is. */
void records_mark(struct records *r, uint32_t pid, uint32_t track, const char *title, const char *category, uint64_t ns);
void records_argument(struct records *r, bool *first, const char *key);
/* An arrow from a slice to a later one: begun at the end of the one, ended in the other. */
void records_flow(struct records *r, bool ends, uint32_t pid, uint32_t track, const char *title, uint64_t id,
		  uint64_t ns);
void records_fields(struct records *r, bool *first, const struct field *fields, size_t count);
void records_step(struct records *r, bool *first, int64_t step); /* STEP_NULL: nothing */
void records_launch(struct records *r, bool *first, const struct launch *launch);

/* What tensors an operator was given, as viewers of PyTorch's traces know it: Input Dims, Input type, Input Formats. */
void records_shapes(struct records *r, bool *first, const struct shapes *shapes);
