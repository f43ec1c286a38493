/* report.h - what a report says of one process: report_collect() fills it, text or JSON show it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/trace/failures.h"
#include "analysis/util/out.h"
#include "analysis/report/periodic_kernels.h"
#include "analysis/util/sorter.h"
#include "analysis/util/spans.h"
#include "analysis/trace/trace.h"
#include "config/config.h"

enum work { WORK_COMPUTE,
	    WORK_COPY,
	    WORK_COMMUNICATION,
	    WORK_OTHER };

/* Times by one clock, the host's or the device's. */
struct step_times {
	struct spans spans[WORK_OTHER];	 /* not summed up yet */
	uint64_t sums[WORK_OTHER], busy; /* ns; busy: at least one of them */
};

struct step_row {
	int64_t step;	     /* STEP_NULL: what lies outside all steps */
	uint64_t begin, end; /* ns since the Unix epoch */
	bool ended;	     /* false: end is that of the last event */
	uint64_t events;
	uint64_t newest; /* number of its last event in the trace */
	uint32_t epoch;	 /* the last one seen of this step */
	struct step_times host, device;
	uint64_t sums[WORK_OTHER], idle; /* ns; of the device if there are any */
	bool by_device;			 /* these come from device times */
};

struct kernel_row {
	char *name;
	enum event_kind kind;
	uint64_t count, host_ns, device_ns, timed;
	struct period period; /* of launches with a name */
};

struct copy_row {
	uint64_t count, bytes, host_ns, device_ns, timed;
};

struct count_row {
	char *name;
	uint64_t count;
};

struct memory_sum {
	uint64_t allocations, frees, bytes, peak_bytes, unfreed, unfreed_bytes;
};

/* Ranges of a domain and name, or marks. */
struct range_row {
	char *name, *domain; /* domain "": the default one */
	bool is_mark;
	uint64_t count, open, total_ns; /* open: not ended, of no known length */
};

/* Where memory is: on the device, or the host's, for the device to reach. */
enum place { PLACE_DEVICE,
	     PLACE_HOST,
	     PLACES };

/* What a framework's allocator told of itself on one device. */
struct allocator_row {
	char *name; /* NULL: it has none */
	uint32_t device;
	struct memory_sum handed_out;
	uint64_t held;	   /* bytes of the largest stock that it told of */
	struct table live; /* uint64_t bytes + 1 by address; empty in the end */
};

/* One process. The facts are the process's own: reports outlive what process_load() read. */
struct report {
	struct key_values facts;
	char *folder;	  /* of its run, where a run.json tells of it; else NULL */
	char *command;	  /* of the run, or else of the process as the kernel calls it */
	uint64_t started; /* the run, or else its first file; ns since the Unix epoch */
	bool has_rank;
	int64_t rank;
	uint64_t pid;
	size_t files;
	bool clean_end, recovered, unreadable, lost;
	int64_t signal;	    /* that killed it; 0: not known */
	bool has_session;   /* it did not end its session, or not yet, and: */
	bool runs;	    /* its process is there */
	bool guarded;	    /* its launcher will save what is in memory */
	uint64_t in_memory; /* calls that no file has yet */
	uint64_t called, kept, dropped;
	int64_t in_flight;
	struct loss loss;
	uint64_t lost_slots;
	size_t step_count, kernel_count, entry_point_count;
	size_t steps_read;	    /* as many are in the files; step_count of them were asked for */
	struct step_row *steps;	    /* by begin; the one outside all steps last */
	struct kernel_row *kernels; /* by time, longest first */
	size_t shaped_count;
	struct kernel_row *shaped;	/* operators with shapes, likewise: the name has the shapes behind a blank */
	struct count_row *entry_points; /* entry points, by name */
	uint64_t failed;		/* calls, of the entry points */
	size_t failure_count;
	struct failure *failures; /* of those, by entry point and result; the most frequent first */
	struct copy_row copies[DIR_COUNT];
	struct memory_sum memory, places[PLACES]; /* all of it; by where it is */
	size_t range_count;
	struct range_row *ranges; /* ranges by time, longest first; then marks */
	size_t allocator_count;
	struct allocator_row *allocators; /* by name and device */
	uint64_t timed;			  /* events with a device time ... */
	size_t source_count;
	struct count_row *sources; /* ... and of how many it was had how */
};

/* Steps, kernels, copies and entry points are of the steps that were asked for, all else is of the whole process. */
void report_collect(struct report *r, struct process *p, const struct selection *asked);
void report_free(struct report *r);

static inline enum work work_of(enum event_kind kind)
{
	switch (kind) {
	case EV_LAUNCH: return WORK_COMPUTE;
	case EV_COLLECTIVE: return WORK_COMMUNICATION;
	case EV_COPY:
	case EV_FILL:
	case EV_MAP: return WORK_COPY;
	default: return WORK_OTHER;
	}
}

void report_json(struct out *o, const struct report *reports, size_t count);
void report_text(struct out *o, const struct report *reports, size_t count, size_t top); /* of one run */
/* Adds to the row of an operator with these shapes, if it is one. */
void shaped_add(struct table *rows, const struct launch *launch, enum event_kind kind, struct kernel_row more);
void shaped_text(struct out *o, const struct report *reports, size_t count, size_t top);
void shaped_json(struct out *o, const struct report *r);
void duplicate_ranks_text(struct out *o, const struct report *reports, size_t count); /* by rank */
/* Calls that failed. */
void failures_text(struct out *o, const struct report *reports, size_t count, size_t top);
void failures_json(struct out *o, const struct report *r);
void torch_npu_gate_text(struct out *o, const struct report *reports, size_t count); /* of torch_npu */
void losses_text(struct out *o, const struct report *reports, size_t count);	     /* its end */

/* One allocation or free more, in order of time; live holds bytes + 1 by address. */
struct memory_event {
	uint64_t address, bytes;
	bool is_free;
	enum place place;
	const struct pool *pool; /* NULL: the vendor's */
};
void memory_take(struct memory_sum *m, struct table *live, const struct memory_event *ev);
