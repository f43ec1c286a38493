/* without_files.h - processes of a run that kept nothing of what they called: run.json alone knows of them. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/report/run_of.h"
#include "analysis/trace/choice.h"

/* Hangs them on the first report of their run; those of other ranks than were asked for are nobody's concern. */
void without_files_take(struct report *reports, size_t count, const struct known_runs *runs, const struct choice *choice);
bool without_files_lost(const struct report *r);
void without_files_free(struct report *r);

/* A line of what was lost, and a list behind a JSON object's ranks. */
void without_files_line(struct out *o, const struct report *r);
void without_files_json(struct out *o, const struct report *reports, size_t count);
