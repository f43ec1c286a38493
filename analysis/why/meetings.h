/* meetings.h - collectives of several ranks: what each waits until the last one comes, and what the transfer takes from then on. */
#pragma once
#include "analysis/why/clocks.h"

/*
 * Puts the pieces that collectives fill among the shares of their steps: WHY_WAIT, whose detail is the number of the rank (in run->ranks)
 * that came last, and WHY_TRANSFER, or, of calls that wait themselves, WHY_HOST_CALL; and fills in how long each step waited, and each rank's clock. Where no other rank was recorded, or its clock is not known, all is
 * transfer. True: there were collectives, and of each one rank was recorded only.
 */
bool meetings_share(struct why_run *run, const struct clocks *clocks);

/* Of a WHY_WAIT: which rank that is, as a number in run->ranks; and the rank. */
size_t meetings_last_number(const struct subject *wait);
const struct why_rank *meetings_last(const struct why_run *run, const struct subject *wait);
