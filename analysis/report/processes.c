/* processes.c - section: whose files these are, how they ended, how many calls they hold. */
#include <inttypes.h>
#include <stdio.h>

#include "analysis/report/columns.h"
#include "analysis/report/section.h"

/* Names come from the file: they must not move our cursor. */
static void put_name(struct out *o, const char *name)
{
	char cell[64];

	snprintf(cell, sizeof(cell), "%-20.60s ", name);
	out_clean(o, cell);
}

static const char *end_word(const struct report *r, char *column)
{
	if (r->unreadable)
		return "unreadable";
	if (r->runs)
		return "none: still running";
	if (r->has_session)
		return r->left ? "unwritten: to recover" : "none: to recover";
	if (r->recovered)
		return r->left ? "unwritten, recovered" : "none, recovered";
	if (!r->clean_end)
		return "none: running or killed";
	if (!r->signal)
		return "clean";
	snprintf(column, COLUMN, "killed, signal %d", (int)r->signal);
	return column;
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	char column[COLUMN];

	(void)top;
	out_format(o, "%5s ", "RANK");
	column_group_head(o, reports);
	out_format(o, "%-20s %8s %6s %10s %10s %8s %9s  %s\n", "HOST", "PID", "FILES",
		   "CALLED", "KEPT", "DROPPED", "IN FLIGHT", "END");
	for (size_t i = 0; i < count; i++) {
		const struct report *r = &reports[i];

		out_format(o, "%5s ", column_rank(r, column));
		column_group(o, r);
		put_name(o, *report_fact(r, "host") ? report_fact(r, "host") : "?");
		out_format(o, "%8" PRIu64 " %6zu ", r->pid, r->files);
		out_format(o, "%10" PRIu64 " %10" PRIu64 " ", r->called, r->kept);
		out_format(o, "%8" PRIu64 " %9" PRId64 "  %s\n", r->dropped, r->in_flight, end_word(r, column));
	}
}

static void put_fact(struct out *o, const struct report *r, const char *name)
{
	const char *value = report_fact(r, name);

	out_json_text(o, name, *value ? value : NULL);
}

static void put_events(struct out *o, const struct report *r)
{
	out_text(o, ",\"events\":{\"called\":");
	out_u64(o, r->called);
	out_json_number(o, "kept", r->kept);
	out_json_number(o, "dropped", r->dropped);
	out_json_key(o, "in_flight");
	out_i64(o, r->in_flight);
	out_char(o, '}');
}

/* -1: null */
static void json_maybe(struct out *o, const char *key, int64_t value)
{
	out_json_key(o, key);
	if (value >= 0)
		out_i64(o, value);
	else
		out_text(o, "null");
}

static void json(struct out *o, const struct report *r)
{
	out_json_number(o, "pid", r->pid);
	put_fact(o, r, "host");
	put_fact(o, r, "job");
	out_json_number(o, "run_started_ns", r->started);
	out_json_text(o, "command", r->command);
	json_maybe(o, "run_exit_status", r->status);
	json_maybe(o, "run_signal", r->ended_by);
	put_fact(o, r, "rank_source");
	put_fact(o, r, "worker_group");
	put_fact(o, r, "step_source");
	if (*report_fact(r, "waited_for")) {
		put_fact(o, r, "waited_for");
		out_json_number(o, "waited_seconds", key_values_number(&r->facts, "waited_seconds", 0));
	}
	out_json_truth(o, "clean_end", r->clean_end);
	out_json_truth(o, "recovered", r->recovered);
	out_json_truth(o, "runs", r->runs);
	out_json_key(o, "signal");
	if (r->signal)
		out_i64(o, r->signal);
	else
		out_text(o, "null");
	out_json_number(o, "in_memory", r->in_memory);
	put_events(o, r);
}

const struct section processes_section = { .text = text, .json = json, .csv = "" };
