#include "analysis/report/columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/util/demangle.h"

const char *column_rank(const struct report *r, char *text)
{
	if (!r->has_rank)
		return "-";
	snprintf(text, COLUMN, "%" PRId64, r->rank);
	return text;
}

#define GROUP_COLUMN "%-21.150s " /* 255.255.255.255:65535 */

void column_group_head(struct out *o, const struct report *r)
{
	if (r->grouped)
		out_format(o, GROUP_COLUMN, "GROUP");
}

void column_group(struct out *o, const struct report *r)
{
	const char *group = report_fact(r, "worker_group");
	char cell[160];

	snprintf(cell, sizeof(cell), GROUP_COLUMN, *group ? group : "-");
	if (r->grouped)
		out_clean(o, cell);
}

void column_process_head(struct out *o, const struct report *r)
{
	column_group_head(o, r);
	if (r->with_pid)
		out_format(o, "%8s ", "PID");
}

void column_process(struct out *o, const struct report *r)
{
	column_group(o, r);
	if (r->with_pid)
		out_format(o, "%8" PRIu64 " ", r->pid);
}

void column_of_process(struct out *o, const struct report *r)
{
	const char *group = report_fact(r, "worker_group");

	if (r->grouped && *group) {
		out_text(o, " of ");
		out_clean(o, group);
	}
	if (r->with_pid)
		out_format(o, " (PID %" PRIu64 ")", r->pid);
}

const char *column_duration(uint64_t ns, char *text)
{
	if (ns < 1000000)
		snprintf(text, COLUMN, "%.3f us", (double)ns / 1e3);
	else if (ns < 1000000000)
		snprintf(text, COLUMN, "%.3f ms", (double)ns / 1e6);
	else
		snprintf(text, COLUMN, "%.3f s", (double)ns / 1e9);
	return text;
}

const char *column_timed(bool shown, uint64_t timed, char *text)
{
	text[0] = '\0';
	if (shown)
		snprintf(text, COLUMN, "%10" PRIu64 " ", timed);
	return text;
}

const char *column_bytes(uint64_t n, char *text)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = (double)n;
	size_t u = 0;

	for (; value >= 1024 && u < 6; u++)
		value /= 1024;
	snprintf(text, COLUMN, u ? "%.2f %s" : "%.0f %s", value, units[u]);
	return text;
}

void column_name(struct out *o, const char *name)
{
	char *shown = demangle(name);

	out_utf8(o, shown ? shown : name);
	free(shown);
}
