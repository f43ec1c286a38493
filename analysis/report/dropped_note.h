/* dropped_note.h - below a table: in which of the steps that it is made of calls were dropped. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/util/out.h"

/* A line; nothing where all calls of these steps are there. all_steps: the table is made of those that were not asked for, too. */
void dropped_note_line(struct out *o, const struct report *reports, size_t count, bool all_steps);
