/* allocators.h - what frameworks' allocators told of the memory that they hand out. */
#pragma once
#include "analysis/report/report.h"

/* One piece more, in order of time. */
void pools_take(struct table *pools, const struct memory_event *ev);

/* The rows by name and device; the table is empty then. */
struct pool_row *pools_hand_over(struct table *pools, size_t *count);

/* The report's tables. */
void pools_text(struct out *o, const struct report *reports, size_t count);
void pools_json(struct out *o, const struct report *r);
