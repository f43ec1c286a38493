/* numbers.h - how long, how often and where in the step each row is, on each side. */
#pragma once
#include "analysis/compare/rows.h"

void numbers_fill(struct rows *r, const struct side sides[SIDES]);
