/*
 * line_writer.h - a time line as formats of viewers have it: processes, tracks, slices and marks with arguments, arrows between slices,
 * counters.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "analysis/trace/defs.h"
#include "analysis/trace/event_fields.h"
#include "analysis/trace/process.h"
#include "analysis/util/out.h"

struct line_writer;

/* ARROW(symbol, title, category, from_begin): from the begin or the end of a slice to the begin of another. */
#define ARROWS(ARROW)                                                                  \
	ARROW(PREPARED, "prepared", "plan", false) /* a first phase to its operator */ \
	ARROW(LAUNCHED, "ac2g", "ac2g", true)	   /* a call to what the device did for it; PyTorch's word */

enum arrow {
#define ARROW(symbol, title, category, from_begin) ARROW_##symbol,
	ARROWS(ARROW)
#undef ARROW
		ARROW_COUNT
};

struct counter {
	uint32_t pid, tid; /* tid 0: the file has nothing of it yet */
	char title[128];
	const char *unit;
};

/* What a format does. Texts are what programs say. */
struct line_format {
	const char *suffix; /* of the file of one process */
	bool begins_names;  /* its readers tell communication, and launches, by how a name begins */
	void (*begin)(struct line_writer *w);
	void (*restart)(struct line_writer *w);	    /* nothing that was written so far is known to what comes now: another process */
	void (*resume)(struct line_writer *w);	    /* nor are texts, but tracks and counters are: NULL: nothing is to be done */
	void (*process_end)(struct line_writer *w); /* likewise */
	void (*process)(struct line_writer *w, uint32_t pid, const char *title, uint32_t index);

	/* What viewers show beside the process's name. */
	void (*label)(struct line_writer *w, uint32_t pid, const char *text);

	/* A new named track of a process; index: where it stands among its like. */
	void (*track)(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, int64_t index);

	/* A new track of numbers, and one of them. */
	void (*counter)(struct line_writer *w, const struct counter *c);
	void (*count)(struct line_writer *w, const struct counter *c, uint64_t ns, uint64_t value);

	/* A slice, or a mark, which has no length. Open for arguments until close(). ns since the Unix epoch. */
	void (*slice)(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, const char *category, uint64_t begin, uint64_t duration);
	void (*mark)(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, const char *category, uint64_t ns);
	void (*number)(struct line_writer *w, const char *key, int64_t number);
	void (*fraction)(struct line_writer *w, const char *key, double number);
	void (*truth)(struct line_writer *w, const char *key, bool yes);
	void (*text)(struct line_writer *w, const char *key, const char *text);
	void (*shapes)(struct line_writer *w, const struct shapes *shapes); /* what tensors an operator was given */

	/* An arrow from the slice that is open, or (ends) to it; each has an id of its own in the file. One of a kind and end a slice. */
	void (*arrow)(struct line_writer *w, enum arrow kind, bool ends, uint64_t id);
	void (*close)(struct line_writer *w);
	void (*end)(struct line_writer *w);
};

#define LINE_SIZES 1024

/* Of a launch, as texts. */
struct line_sizes {
	const struct launch *launch; /* NULL: none */
	char global[3 * 24], local[3 * 24];
};

struct line_writer {
	const struct line_format *format;
	struct out *out;
	const char *name;	    /* of the file; NULL: it has none */
	uint64_t base;		    /* ns since the Unix epoch: a whole second about a day before the first file began */
	const struct process *only; /* all that the file holds is of this one; NULL: it may hold several */
	bool passing;		    /* texts that come now are soon gone; others stay where they are while their process is written */
	uint32_t processes;	    /* of the trace */
	uint32_t number;	    /* of the process that is written */
	uint32_t tracks;	    /* of its tracks that are no thread's or stream's */
	struct line_sizes sizes[LINE_SIZES];
	void *own; /* the format's: made by begin, freed by end */
};

/* What comes now is of another process, which has this number in the trace. */
void line_restart(struct line_writer *w, uint32_t number);

/* A track that is no thread's or stream's. Returns its number in place of a thread's. */
uint32_t line_track(struct line_writer *w, uint32_t pid, const char *title, int64_t index);

/* Makes the counter known, if it is not, and tells a number. */
void line_count(struct line_writer *w, struct counter *c, uint64_t ns, uint64_t value);

/* A slice whose title is soon gone. */
void line_passing_slice(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, const char *category, uint64_t begin, uint64_t duration);

/* n: of this kind, in the process; below 2^48. */
void line_arrow(struct line_writer *w, enum arrow kind, bool ends, uint64_t n);

void line_fields(struct line_writer *w, const struct field *fields, size_t count);
void line_step(struct line_writer *w, int64_t step); /* STEP_NULL: nothing */
void line_launch(struct line_writer *w, const struct launch *launch);
