/*
 * gaps.h - when the device did nothing inside of steps, and what the thread that gave it its next work did then. A step's gaps are
 * found when it is over; its calls and device times are kept until then.
 */
#pragma once
#include "analysis/report/gap_calls.h"
#include "analysis/report/step_rows.h"
#include "analysis/trace/choice.h"

enum gap_kind { GAP_CALL,	/* the thread was in this call */
		GAP_BETWEEN,	/* ... in none: between two calls */
		GAP_GIVEN,	/* the next work had been given to the device, and had not begun */
		GAP_OTHER_STEP, /* work of an earlier step ran */
		GAP_NOT_TOLD,	/* the thread is not known, or its calls are not kept any more */
		GAP_KINDS };

struct gap_row {
	char *name; /* of the call; NULL: the kind is no call */
	enum gap_kind kind;
	uint64_t count, total, longest; /* ns */
	int64_t longest_step;
};

struct gaps {
	size_t count;
	struct gap_row *list;		   /* by name and kind */
	uint64_t steps, idle, ran_outside; /* of these steps: the idle time, and how long their work ran outside of them: both together are the rows' */
	struct gap_reading *reading;	   /* while events come in */
};

void gaps_begin(struct gaps *g, struct process *p, const struct choice *asked, struct step_rows *steps);

/* Calls, whichever, of one ring, thread and step, where there is a reading. */
void gaps_calls(struct gaps *g, const struct trace_event *list, size_t count);

/* Work of the device, of an event of this step. */
void gaps_work(struct gaps *g, int64_t step, const struct trace_device *dev);

/* The rows of the steps are as they will be shown. */
void gaps_finish(struct gaps *g, const struct step_row *steps, size_t count);
void gaps_free(struct gaps *g);

/* For qsort(): by kind and name. */
int gap_rows_order(const void *a, const void *b);
void gap_row_join(struct gap_row *row, const struct gap_row *other);
