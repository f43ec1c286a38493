/* dropped_why.h - why calls are missing from the files, in words. */
#pragma once
#include "analysis/report/report.h"

/* "60 of 100 calls dropped: why, and what to do": of those that are missed, if there are any. */
bool dropped_why_put(struct out *o, const struct report *r);

/* A line of those that nobody misses; nothing where there are none. */
void dropped_why_unselected_line(struct out *o, const struct report *r);
