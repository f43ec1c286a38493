/* matching.h - which collectives of several ranks are the same one. */
#pragma once
#include "analysis/why/clocks.h"

/*
 * Gives times and pieces of one meeting one number, anew. How many there were in a step, by which they have theirs at first, is not the same on all
 * ranks where a queue calls them behind the thread that counts the steps. So those of a kind (meeting.h) are taken in order of time, and meet if
 * they were under way at once: for half of the shorter one, or behind two that met, or with one number. Where a host's clock is not known nothing changes.
 */
void meetings_match(struct why_run *run, const struct clocks *clocks);
