/* meetings.h - collectives of several ranks: what each waits until the last one comes, and what the transfer takes from then on. */
#pragma once
#include "analysis/why/ranks.h"

/*
 * Puts the pieces that collectives fill among the shares of their steps: WHY_WAIT, whose detail is the number of the rank (in run->ranks)
 * that came last, and WHY_TRANSFER. Of a collective that no other rank was recorded in all is transfer. True: there were such. Fills in how long each step waited.
 */
bool meetings_share(struct why_run *run);
