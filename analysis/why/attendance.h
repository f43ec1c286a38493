/* attendance.h - of which ranks there is less than of the others: no file, fewer steps, other steps. */
#pragma once
#include "analysis/util/out.h"
#include "analysis/why/ranks.h"

struct attendant {
	const struct why_rank *rank; /* the first of its processes */
	size_t processes;	     /* these and the next ones in run->ranks */
	int64_t last, others_last;   /* steps */
	bool stopped;		     /* all that it lacks lies behind its last step */
	size_t lack_count, more_count;
	int64_t *lacks, *more; /* steps that half of the ranks have, and it has not; and the other way round */
};

/* Ranks of a group of workers that were to be recorded, and have no file here. */
struct absent {
	const char *group;
	uint64_t world; /* ranks of the group */
	size_t count;
	int64_t *ranks;
};

struct attendance {
	size_t count;
	struct attendant *list; /* those that lack a step, or have one that others have not */
	bool grouped;		/* there are several groups of workers */
	size_t absent_count;
	struct absent *absent; /* by group, in order of their first ranks; where all are of one, or of none, it is that one */
};

void attendance_find(struct attendance *a, const struct why_run *run);
void attendance_text(struct out *o, const struct attendance *a);
void attendance_json(struct out *o, const struct attendance *a);
void attendance_free(struct attendance *a);
