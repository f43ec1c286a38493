/* stages.c - section: how long each stage was, and what filled it. */
#include <inttypes.h>
#include <stdio.h>

#include "analysis/report/columns.h"
#include "analysis/report/section.h"
#include "analysis/report/stage_rows.h"

static bool communicates(const struct report *reports, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < reports[i].stage_count; k++)
			if (reports[i].stages[k].row.sums[WORK_COMMUNICATION])
				return true;
	return false;
}

static void put_stage(struct out *o, const struct report *r, const struct stage_row *s, bool communication)
{
	const struct step_row *row = &s->row;
	char c[6][COLUMN], number[COLUMN] = "-";

	if (row->step != STEP_NULL)
		snprintf(number, COLUMN, "%" PRId64, row->step);
	out_format(o, "%5s %8s %13s %9" PRIu64 " ", column_rank(r, c[0]), number, column_duration(row->end - row->begin - row->unrecorded, c[1]), row->events);
	out_format(o, "%13s %13s ", column_duration(row->sums[WORK_COMPUTE], c[2]), column_duration(row->sums[WORK_COPY], c[3]));
	if (communication)
		out_format(o, "%13s ", column_duration(row->sums[WORK_COMMUNICATION], c[5]));
	out_format(o, "%13s  ", column_duration(row->idle, c[4]));
	out_clean(o, s->role);
	out_format(o, ".%" PRIu32 "%s\n", s->occurrence, row->unrecorded || row->cut ? ", in parts" : row->ended ? ""
														 : ", not ended");
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	bool communication = communicates(reports, count), any = false;

	(void)top;
	for (size_t i = 0; i < count; i++)
		any |= reports[i].stage_count > 0;
	if (!any)
		return;
	out_format(o, "\nStages\n%5s %8s %13s %9s %13s %13s %s%13s  %s\n", "RANK", "STEP",
		   "DURATION", "EVENTS", "COMPUTE", "COPY", communication ? "COMMUNICATION " : "", "IDLE", "STAGE");
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < reports[i].stage_count; k++)
			put_stage(o, &reports[i], &reports[i].stages[k], communication);
}

static void json_stage(struct out *o, const struct stage_row *s)
{
	const struct step_row *row = &s->row;

	out_text(o, "{\"step\":");
	if (row->step == STEP_NULL)
		out_text(o, "null");
	else
		out_i64(o, row->step);
	out_json_text(o, "role", s->role);
	out_json_number(o, "occurrence", s->occurrence);
	out_json_number(o, "begin_ns", row->begin);
	out_json_number(o, "duration_ns", row->end - row->begin);
	out_json_number(o, "events", row->events);
	out_json_truth(o, "ended", row->ended);
	if (row->unrecorded)
		out_json_number(o, "unrecorded_ns", row->unrecorded);
	out_json_number(o, "compute_ns", row->sums[WORK_COMPUTE]);
	out_json_number(o, "copy_ns", row->sums[WORK_COPY]);
	out_json_number(o, "communication_ns", row->sums[WORK_COMMUNICATION]);
	out_json_number(o, "idle_ns", row->idle);
	out_json_text(o, "times", row->by_device ? "device" : "host");
	out_char(o, '}');
}

static void json(struct out *o, const struct report *r)
{
	out_json_key(o, "stages");
	out_char(o, '[');
	for (size_t i = 0; i < r->stage_count; i++) {
		out_json_comma(o, i);
		json_stage(o, &r->stages[i]);
	}
	out_char(o, ']');
}

const struct section stages_section = { .text = text, .json = json };
