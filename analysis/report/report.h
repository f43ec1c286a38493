/* report.h - what a report says of one process: report_read() fills it, the sections show it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/session/sessions.h"
#include "analysis/trace/trace.h"
#include "analysis/util/out.h"
#include "analysis/util/rank_list.h"
#include "analysis/trace/choice.h"
#include "config/selection.h"

enum section_id {
#define TEXT(name)
#define JSON(name)    SECTION_##name,
#define SECTION(name) SECTION_##name,
#include "analysis/report/sections.def"
#undef TEXT
#undef JSON
#undef SECTION
	SECTIONS
};

struct step_row;
struct stage_row;
struct kernel_row;
struct known_runs;

/* One process. The facts are the process's own: reports outlive what process_load() read. */
struct report {
	struct key_values facts;
	char *folder;	  /* of its run, where a run.json tells of it; else NULL */
	char *command;	  /* of the run, or else of the process as the kernel calls it */
	int64_t status;	  /* the exit status of the run's command; -1: not known, as where a signal ended it: */
	int64_t ended_by; /* this one; -1: none, or not known */
	uint64_t started; /* the run, or else its first file; ns since the Unix epoch */
	bool has_rank;
	bool grouped;  /* its run has ranks of several groups of workers, so that lines say of which */
	bool with_pid; /* its run has ranks of several processes, so that lines say of which */
	bool all_rows; /* in JSON: of long tables, too */
	bool chosen;   /* by its rank, or by those of its devices */
	int64_t rank;
	uint64_t pid;
	size_t files, empty_files;
	uint64_t bytes; /* of these */
	bool clean_end, recovered, unreadable, lost;
	bool left;	    /* it ended by itself, before all was written */
	int64_t signal;	    /* that killed it; 0: not known */
	bool has_session;   /* it did not end its session, or not yet, and: */
	bool runs;	    /* its process is there */
	bool guarded;	    /* its launcher will save what is in memory */
	uint64_t in_memory; /* calls that no file has yet */
	uint64_t called, kept, dropped;
	uint64_t unselected; /* of the dropped: they waited for a rank that is not selected, or never came */
	int64_t in_flight;
	struct loss loss;
	uint64_t lost_slots;
	uint64_t unplaced;	     /* device times whose step or direction was forgotten, or that waited for their event in vain */
	uint64_t nameless, stepless; /* calls that lack the definition of what they name, or of their step */
	uint64_t crowded;	     /* collectives that made more launches than are kept in mind */

	/* Of the events, what several sections need. */
	size_t steps_read, step_count; /* as many are in the files; of those as many were asked for */
	struct step_row *steps;	       /* by begin; the one outside all steps last */
	size_t stage_count;
	struct stage_row *stages; /* of those steps, by begin */
	size_t kernel_count;
	struct kernel_row *kernels; /* by time, longest first */
	void *sections[SECTIONS];   /* what each section keeps of them: section.h */

	struct report *without_files; /* of its run, told with this one: nothing is known of them but who, and how much they lost */
	size_t without_count;
};

/*
 * Reads a process. Steps, kernels, copies and entry points are of the steps and roles that were asked for, all else is of the whole
 * process. runs: what is known of runs so far.
 */
void report_read(struct report *r, struct process *p, const struct choice *asked, const struct sessions *all,
		 struct known_runs *runs);

/* The same in two: what the process's files tell, which may become a parcel; then what is known here and now, of p as it was found. */
void report_read_files(struct report *r, struct process *p, const struct choice *asked);
void report_complete(struct report *r, const struct process *p, const struct sessions *all, struct known_runs *runs);
void report_free(struct report *r);

/* Of the calls that were dropped those that were to be recorded. */
static inline uint64_t report_missed(const struct report *r)
{
	return r->dropped - r->unselected;
}

/* What the process's files say; "": they do not. */
const char *report_fact(const struct report *r, const char *key);

/* Of one rank in one group of workers, or both of none? */
bool report_is_same_rank(const struct report *a, const struct report *b);

/* What the lines of a run need beside the rank to tell its processes apart: taken in the order of report_order(), then noted in each. */
struct told_apart {
	struct rank_groups groups;
	const struct report *before;
	bool shared;
};
void told_apart_take(struct told_apart *t, const struct report *r);
void told_apart_note(const struct told_apart *t, struct report *r);

/* By rank; of those of one rank, or of none, by group of workers, host and pid. For qsort(). */
int report_order(const void *a, const void *b);

/* How many rows of a table that has so many at the most. */
static inline size_t report_rows(const struct report *r, size_t most)
{
	return r->all_rows ? SIZE_MAX : most;
}

/* What is shown of it. */
struct shown {
	size_t top;	  /* rows of a long table, as text */
	const char *only; /* words of sections, commas between; NULL: all sections */
};

/* An object of it, as far as its rank: {"rank":17 */
void report_json_begin(struct out *o, const struct report *r);

/* Sections: as text of one run, and as one JSON object. */
void report_text(struct out *o, const struct report *reports, size_t count, const struct shown *shown);
void report_json(struct out *o, const struct report *reports, size_t count, const struct shown *shown);
