/* memory_growth.h - what each step leaves allocated beyond what it found. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/util/out.h"
#include "analysis/util/table.h"

struct step_growth {
	int64_t step, bytes; /* bytes: less than none, if it freed more than it allocated */
};

/* Zero at first. */
struct memory_growth {
	struct table steps; /* struct step_growth by step, while events come in */
	size_t count;
	struct step_growth *list; /* of steps that changed something, by step */
};

void memory_growth_add(struct memory_growth *g, int64_t step, int64_t bytes);
void memory_growth_copy(struct memory_growth *to, const struct memory_growth *from); /* to: still zero */
void memory_growth_end(struct memory_growth *g);
void memory_growth_free(struct memory_growth *g);

/* Two columns, for MEMORY_GROWTH_HEAD: the median of all whole steps of the process, and the most, with its step. */
#define MEMORY_GROWTH_HEAD  "%13s %22s"
#define MEMORY_GROWTH_HEADS "A STEP ADDS", "MOST, STEP"
void memory_growth_columns(struct out *o, const struct report *r, const struct memory_growth *g);

/* Members of an object; none where there is no whole step. */
void memory_growth_json(struct out *o, const struct report *r, const struct memory_growth *g);
