/* steps.h - the steps of a window, and what the device did in each of them, by time. */
#pragma once
#include "analysis/trace/choice.h"
#include "analysis/util/overlap.h"

/* What was recorded at one go of one step. */
struct ascend_stretch {
	uint64_t begin, end; /* ns since the Unix epoch; end UINT64_MAX: nothing ended it */
	uint64_t step;	     /* its number in the list of steps; UINT64_MAX: of none */
};

struct ascend_step {
	int64_t step;
	uint64_t begin, end;
	uint64_t bars[BARS]; /* ns */
	uint64_t receiving;  /* ns, of collectives that receive */
	uint64_t first_work; /* ns since the Unix epoch; 0: none */
	bool recorded;	     /* there are calls of it, ... */
	bool computes;	     /* ... and such that compute; */
	bool timed;	     /* such have device times, whenever the work was done */
	bool seen;	     /* within the window */
};

struct ascend_steps {
	size_t count, capacity, stretch_count, stretch_capacity;
	struct ascend_step *list;
	struct ascend_stretch *stretches; /* by begin */
	struct ascend_step *calling;	  /* of the calls that come now; NULL: none */
	struct ascend_step *timing;	  /* of the call whose device time came last; NULL: none */
	size_t next;			  /* stretch that is not reached yet ... */
	struct ascend_step *now;	  /* ... and the step of the one before; NULL: none */
};

/* Of all steps that were chosen, by what the process says of its epochs. */
void ascend_steps_begin(struct ascend_steps *s, struct process *p, const struct choice *choice);

/* Calls of this step come now: of one that lost all of them nothing is known. */
void ascend_steps_recorded(struct ascend_steps *s, int64_t step);

/* A call of this step that computes has a device time. */
void ascend_steps_timed(struct ascend_steps *s, int64_t step);

/* Those that lie in the window from first to last; what nothing ended ends with it. */
void ascend_steps_limit(struct ascend_steps *s, uint64_t first, uint64_t last);

/* What was recorded at this time, and of which step; NULL: nothing, or of none. */
const struct ascend_stretch *ascend_steps_stretch(const struct ascend_steps *s, uint64_t ns);
struct ascend_step *ascend_steps_at(struct ascend_steps *s, uint64_t ns);
void ascend_steps_free(struct ascend_steps *s);

/* ns: the step less what receives; communication alone less what receives; until the first work of the device. */
static inline uint64_t ascend_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static inline uint64_t ascend_step_stage(const struct ascend_step *s)
{
	return ascend_less(s->bars[BAR_COMPUTING] + s->bars[BAR_NOT_OVERLAPPED] + s->bars[BAR_FREE], s->receiving);
}

static inline uint64_t ascend_step_not_receiving(const struct ascend_step *s)
{
	return ascend_less(s->bars[BAR_NOT_OVERLAPPED], s->receiving);
}

static inline uint64_t ascend_step_preparing(const struct ascend_step *s)
{
	return s->first_work ? ascend_less(s->first_work, s->begin) : 0;
}
