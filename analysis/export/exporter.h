/*
 * exporter.h - one format of `ranktrace export`: what becomes of a trace that others open, filter, sort and close. An exporter
 * is a folder of its own beside this file and a line in exporters.def. A function that it does not need is left out.
 */
#pragma once
#include "analysis/export/destination.h"
#include "analysis/trace/choice.h"
#include "analysis/trace/trace.h"
#include "analysis/util/sorter.h"

/* EXPORT_BY(symbol, word): what a format that sums up counts. */
#define EXPORTS_BY(EXPORT_BY)       \
	EXPORT_BY(HOST, "host")     \
	EXPORT_BY(DEVICE, "device") \
	EXPORT_BY(COUNT, "count")

enum export_by {
#define EXPORT_BY(symbol, word) BY_##symbol,
	EXPORTS_BY(EXPORT_BY)
#undef EXPORT_BY
		BY_COUNTS
};

struct export
{
	struct destination *to;
	struct out *out;	     /* the only file; NULL: the exporter makes files in a folder */
	const struct trace *trace;   /* all of it */
	const struct choice *choice; /* --steps, --ranks, --roles */
	uint32_t kinds;		     /* --kinds: a bit for each enum event_kind that is wanted */
	enum export_by by;	     /* --by */
	bool merge_windows;	     /* --merge-windows: a process's windows are exported as one */
	size_t window;		     /* the file of the process that its events are of, where they come by_window and not merged */
	const struct process *only;  /* all that will be exported is of this one; NULL: there may be several */
	unsigned int jobs;	     /* --jobs: processes of the trace at once */
	bool has_turn;		     /* what is put comes into this share */
	bool begun;		     /* at the end: forks of ours have written the only file */
	void *own;		     /* the exporter's: made by begin, freed by end */

	/* For export.c alone. */
	const struct exporter *exporter;
	struct trace *all;
	struct share *shares;
	size_t share_count;
	const struct share *share;	       /* the one that is exported */
	struct export_tally *tallies;	       /* by share; seen by our forks, too */
	struct export_tally *tally;	       /* of the one that is read */
	bool not_first;			       /* something stands before it in the file */
	uint64_t turn, turn_begins, turn_ends; /* of the share, by number of its event */
	struct sorter sorter;		       /* struct trace_event by begin */
	uint64_t events, stages;
	bool any; /* set by an exporter that has `without` */
};

#define EXPORT_ALL_KINDS UINT32_MAX

/* Is nothing left out on request? */
static inline bool export_is_of_all(const struct export *e)
{
	return e->kinds == EXPORT_ALL_KINDS && choice_is_all(e->choice);
}

static inline bool export_wants_kind(const struct export *e, enum event_kind kind)
{
	return e->kinds >> kind & 1;
}

struct exporter {
	const char *missing; /* what this build lacks for it, and what to do; NULL: nothing */
	bool apart;	     /* nothing of one process is remembered for another: several may be exported at once, by forks of ours */
	bool may_be_folder;  /* a file for each process, if it is given a folder */
	bool is_binary;	     /* nothing for a terminal */
	bool may_be_packed;  /* its readers take compressed files */
	uint64_t limit;	     /* bytes of a file that its readers take; 0: any */
	const char *without; /* what to say where none of the events has what the format is about; NULL: each has */
	const char *between; /* what stands between two processes in a file; NULL: nothing */
	bool beside;	     /* without --output its folder lies beside the traces */
	bool has_by;	     /* --by says what it counts */
	bool sums_up;	     /* its figures are of all kinds: --kinds would leave some of them wrong */
	bool by_window;	     /* process, its events and process_end come once a file of it, unless windows are merged */
	void (*begin)(struct export *e);
	/* A process of the ranks that were asked for: its definitions are known, its events come next. */
	void (*process)(struct export *e, struct process *p);
	/* Its events of the steps that were asked for, by begin; of two that began at once the longer one first. */
	void (*event)(struct export *e, const struct trace_event *ev);
	/* Besides: all that its files hold, of whatever step, in their order. The context is the struct export. */
	struct visitor visitor;
	void (*process_end)(struct export *e, struct process *p);
	void (*end)(struct export *e);
	/*
	 * has_turn has changed, which it does before an event: while it is false nothing may be written, of whatever it is. All shares of a process
	 * go through the same, and what they have written stands behind each other. NULL: the exporter cannot be cut so.
	 */
	void (*turn)(struct export *e);
};

static inline bool export_by_window(const struct export *e)
{
	return e->exporter->by_window && !e->merge_windows;
}

#define EXPORTER(name, folder, help) extern const struct exporter name##_exporter;
#include "analysis/export/exporters.def"
#undef EXPORTER
