/* csv.h - the report as CSV: the rows of the sections' JSON, a table a section. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/util/out.h"

void report_csv(struct out *o, const struct report *reports, size_t count, const struct shown *shown);
