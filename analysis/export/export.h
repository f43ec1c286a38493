/* export.h - carries a trace through an exporter. */
#pragma once
#include "analysis/export/exporter.h"

struct exported {
	bool wanted;	 /* of a share: it is of a process that was asked for */
	size_t ranks;	 /* such processes */
	uint64_t events; /* of the steps that were asked for */
	uint64_t stages; /* likewise: there may be some without an event */
	bool any;	 /* what the format is about was there, where it may be missing */
	bool whole;	 /* nothing of it is missing */
	bool torn;	 /* something of its files is missing */
	bool failed;	 /* not all could be written, which was said on stderr */
	int error;	 /* likewise, but not said: what went wrong with the file that all share */
};

static inline void exported_add(struct exported *sum, const struct exported *more)
{
	sum->ranks += more->ranks;
	sum->events += more->events;
	sum->stages += more->stages;
	sum->any |= more->any;
	sum->whole &= more->whole;
	sum->torn |= more->torn;
	sum->failed |= more->failed;
}

/* Of what is wanted in `e`: to, out, trace, choice, kinds and jobs. destination_is_well() tells about writing. */
struct exported export_trace(const struct exporter *exporter, const struct export *wanted, struct trace *t);
