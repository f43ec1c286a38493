/*
 * events.h - all that a time line shows of a trace, in memory of a fixed size: lanes of processes, each with a row of slices a depth, curves and
 * arrows. What feeds viewers' files (analysis/export/timeline) feeds this, too.
 */
#pragma once
#include "analysis/export/exporter.h"
#include "analysis/export/timeline/line_writer.h"
#include "analysis/html/arrows.h"
#include "analysis/html/curves.h"
#include "analysis/html/names.h"
#include "analysis/html/rows.h"

#define DEPTH_MOST 32 /* what lies deeper is in the last row */

struct page_lane {
	uint32_t process; /* its number */
	char title[128];
	int64_t index;
	size_t depth;		   /* of those that are open */
	uint64_t ends[DEPTH_MOST]; /* theirs, ns */
	uint32_t rows[DEPTH_MOST]; /* number + 1 of a row; 0: there is none yet */
};

struct page_process {
	const struct process *process;
	char title[256], label[256];
	bool has_rank;
	int64_t rank;
	uint64_t pid;
};

struct events {
	struct out nowhere;	/* first: what the exporter is given to write to; nothing is */
	struct table processes; /* struct page_process by the number that its format gives it */
	struct table lanes;	/* struct page_lane by that and the track's */
	struct table curves;	/* struct curve likewise */
	struct table rows;	/* struct row by their own number, from 1 */
	struct names names;
	struct arrows arrows;
	const struct process *process; /* that is read */
	size_t points_most;	       /* of a curve */
	uint64_t resolution;	       /* ns: shorter slices became one with their neighbours; 0: none did */
	uint64_t slices;	       /* that there were */
	size_t held;		       /* that are held */
	uint64_t first, last;	       /* ns since the Unix epoch: begin and end of all */
	size_t ranks;		       /* processes that were chosen */
	uint64_t found;		       /* calls and stages of theirs that were chosen */

	/* The slice that is open. */
	struct page_lane *lane;
	struct slice slice;
	const char *category;
	char title[NAME_MOST + 1], arguments[2048];
	size_t arguments_used, arrow_count;
	struct {
		uint64_t id;
		bool ends, from_begin;
	} open_arrows[2 * ARROW_COUNT];
};

/* Reads all of it that was chosen. The caller frees it. Returns false if something is missing, which was said. */
bool events_read(struct events **events, struct trace *t, const struct choice *choice);
void events_free(struct events *e);

/* No slices shorter than this by themselves, of any row. */
void events_merge(struct events *e, uint64_t resolution);

static inline struct row *events_row(const struct events *e, size_t number)
{
	return table_item(&e->rows, number);
}
