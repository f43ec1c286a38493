/*
 * line_writer.h - a time line as formats of viewers have it: processes, tracks, slices and marks with arguments, arrows between slices.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "analysis/trace/defs.h"
#include "analysis/trace/event_fields.h"
#include "analysis/util/out.h"

struct line_writer;

/* What a format does. Texts are what programs say. */
struct line_format {
	void (*begin)(struct line_writer *w);
	void (*process)(struct line_writer *w, uint32_t pid, const char *title);

	/* A new named track of a process; index: where it stands among its like. */
	void (*track)(struct line_writer *w, uint32_t pid, uint32_t track, const char *title, int64_t index);

	/* A slice, or a mark, which has no length. Open for arguments until close(). ns since the Unix epoch. */
	void (*slice)(struct line_writer *w, uint32_t pid, uint32_t track, const char *title, const char *category, uint64_t begin, uint64_t duration);
	void (*mark)(struct line_writer *w, uint32_t pid, uint32_t track, const char *title, const char *category, uint64_t ns);
	void (*number)(struct line_writer *w, const char *key, int64_t number);
	void (*truth)(struct line_writer *w, const char *key, bool yes);
	void (*text)(struct line_writer *w, const char *key, const char *text);
	void (*shapes)(struct line_writer *w, const struct shapes *shapes); /* what tensors an operator was given */

	/* An arrow from the end of the slice that is open, or (ends) to its begin: two of the same title and id are one. */
	void (*arrow)(struct line_writer *w, bool ends, const char *title, uint64_t id);
	void (*close)(struct line_writer *w);
	void (*end)(struct line_writer *w);
};

struct line_writer {
	const struct line_format *format;
	struct out *out;
	uint64_t base;	 /* ns since the Unix epoch: a whole second about a day before the first file began */
	uint32_t tracks; /* numbered over all processes: threads must not clash */
	void *own;	 /* the format's: made by begin, freed by end */
};

/* Returns the track's number. */
uint32_t line_track(struct line_writer *w, uint32_t pid, const char *title, int64_t index);

void line_fields(struct line_writer *w, const struct field *fields, size_t count);
void line_step(struct line_writer *w, int64_t step); /* STEP_NULL: nothing */
void line_launch(struct line_writer *w, const struct launch *launch);
