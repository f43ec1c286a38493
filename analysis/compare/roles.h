/* roles.h - things of other names that do the same in a step: kernels of another library, calls of another vendor. */
#pragma once
#include "analysis/compare/rows.h"

/*
 * Joins rows that only one side has: of the same kind, as often in a step, and in the same order among what both sides have. Needs their numbers;
 * subjects know their rows no more.
 */
void roles_join(struct rows *r);
