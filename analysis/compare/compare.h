/* compare.h - what changed, as text and as JSON. */
#pragma once
#include "analysis/compare/comparison.h"
#include "analysis/util/out.h"

void compare_text(struct out *o, const struct comparison *c, size_t top);
void compare_json(struct out *o, const struct comparison *c);
