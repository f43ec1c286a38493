/* meetings.h - collectives of several ranks: what each waits until the last one comes, and what the transfer takes from then on. */
#pragma once
#include "analysis/why/clocks.h"

/* A collective of a step. A rank that began it before its step's begin was recorded is not counted. */
struct meeting {
	uint64_t last, before;	    /* when its last rank came, and the one before that; by the first host's clock. 0: none, whose clock is known */
	uint32_t rank, rank_before; /* which ones these are, in run->ranks */
	uint32_t ranks;
	uint32_t seen; /* rank + 1 */
	int64_t step;  /* as the last one counts */
	bool by_host;  /* it is of calls, not of their work */
};

/* ns: as much apart two ranks came together, for all that is known of their clocks. */
int64_t meetings_doubt(const struct clocks *clocks, uint32_t rank, uint32_t other);

/*
 * Says of the pieces that collectives fill what they were spent on, so that they are among the shares of their steps: WHY_WAIT, whose detail is the number of the rank (in run->ranks)
 * that came last, and WHY_TRANSFER, or, of a call that waits itself, WHY_HOST_CALL; and fills in how long each step waited, and each rank's
 * clock. Where no other rank was recorded, or its clock is not known, nothing is waiting. meetings: gets struct meeting by number, for
 * table_free(). True: there were collectives, and of each one rank was recorded only.
 */
bool meetings_share(struct why_run *run, const struct clocks *clocks, struct table *meetings);

/* Of a WHY_WAIT: which rank that is, as a number in run->ranks; and the rank. */
size_t meetings_last_number(const struct subject *wait);
const struct why_rank *meetings_last(const struct why_run *run, const struct subject *wait);
