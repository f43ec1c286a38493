/* collect.h - one pass over the events of a process, for all sections at once. */
#pragma once
#include "analysis/report/report.h"

/* Of a process that is loaded. Fills what is of the events. */
void collect_events(struct report *r, struct process *p, const struct choice *asked);
void collect_free(struct report *r);
