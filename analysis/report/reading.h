/*
 * reading.h - the processes of a trace become reports: read here, by forks of this program, or by others that it talks to. Whoever
 * reads makes a record of each, whoever shows takes it, in any order.
 */
#pragma once
#include "analysis/report/report.h"
#include "analysis/util/parcel.h"

struct reading {
	struct trace *trace;
	const struct choice *choice;
	unsigned int jobs;
	size_t count, taken;
	size_t *wanted; /* the numbers of as many processes of the trace */

	/* By number of the process. */
	struct report *reports;
	bool *there;   /* it was taken, or known before */
	bool *settled; /* its files will not change any more */
	char **said;   /* on stderr, while it was read; NULL: nothing */
};

/* Reads those that are wanted, and says on stderr what came in the way. False: not all of them are there. */
bool reading_do(struct reading *r);

/* How: NULL is here, or by as many forks as there are jobs. */
extern void (*reading_by)(struct reading *r);

/*
 * A process, that of this number to whoever shows it, as a record; and what it holds. said: where stderr leads, a file of ours; -1:
 * elsewhere, so that nothing needs to be told.
 */
void reading_make(struct process *p, size_t number, const struct choice *choice, int said, struct parcel *record);
void reading_take(struct reading *r, const uint8_t *record, size_t size);

/* That this process is left out, and why. */
void reading_left_out(const struct reading *r, size_t number, const char *why);
