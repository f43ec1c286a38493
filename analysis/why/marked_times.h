/* marked_times.h - when what a program said of itself was going on: ranges that it marked, and stages. */
#pragma once
#include "analysis/trace/ranges.h"
#include "analysis/why/items.h"
#include "analysis/why/subjects.h"

struct marked_times {
	struct items *list; /* of subjects that no time is spent on: names */
	struct subjects *subjects;
	struct ranges open;
};

void marked_times_begin(struct marked_times *m, struct items *list, struct subjects *subjects);
void marked_times_take(struct marked_times *m, const struct trace_event *ev);

/* When all events were there. Puts them in order. */
void marked_times_end(struct marked_times *m, struct process *p);
