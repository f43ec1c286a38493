/*
 * straggler.h - the rank that others wait for in most steps, or whose steps take longer than theirs. None of its steps need be slower than the
 * others: all are slow.
 */
#pragma once
#include "analysis/why/findings.h"

/* Its step of the middle, compared with the same step of the others by what is spent without waiting. False: there is none. */
bool straggler_find(struct why_finding *f, const struct why_run *run);
