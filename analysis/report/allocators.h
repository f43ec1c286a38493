/* allocators.h - what frameworks' allocators told of the memory that they hand out. */
#pragma once
#include "analysis/report/report.h"

/* One piece more, in order of time. */
void allocators_take(struct table *allocators, const struct memory_event *ev);

/* The rows by name and device; the table is empty then. */
struct allocator_row *allocators_hand_over(struct table *allocators, size_t *count);

/* The report's tables. */
void allocators_text(struct out *o, const struct report *reports, size_t count);
void allocators_json(struct out *o, const struct report *r);
