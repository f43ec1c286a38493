#include "analysis/report/step_columns.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/report/columns.h"

bool step_columns_communicate(const struct report *reports, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < reports[i].step_count; k++)
			if (reports[i].steps[k].sums[WORK_COMMUNICATION])
				return true;
	return false;
}

void step_columns_head(struct out *o, const char *title, const struct report *r, bool communication, const char *last)
{
	out_format(o, "\n%s\n%5s ", title, "RANK");
	column_process_head(o, r);
	out_format(o, "%8s %13s %9s %13s %13s %s%13s  %s\n", "STEP", "DURATION", "EVENTS", "COMPUTE", "COPY",
		   communication ? "COMMUNICATION " : "", "IDLE", last);
}

void step_columns_put(struct out *o, const struct report *r, const struct step_row *row, bool communication)
{
	char rank[COLUMN], number[COLUMN] = "-", duration[COLUMN], compute[COLUMN], copy[COLUMN], idle[COLUMN];

	if (row->step != STEP_NULL)
		snprintf(number, COLUMN, "%" PRId64, row->step);
	out_format(o, "%5s ", column_rank(r, rank));
	column_process(o, r);
	out_format(o, "%8s %13s %9" PRIu64 " ", number, column_duration(step_row_length(row), duration),
		   row->events);
	out_format(o, "%13s %13s ", column_duration(row->sums[WORK_COMPUTE], compute), column_duration(row->sums[WORK_COPY], copy));
	if (communication)
		out_format(o, "%13s ", column_duration(row->sums[WORK_COMMUNICATION], duration));
	out_format(o, "%13s  ", column_duration(row->idle, idle));
}

void step_columns_json(struct out *o, const struct step_row *row)
{
	out_text(o, "{\"step\":");
	if (row->step == STEP_NULL)
		out_text(o, "null");
	else
		out_i64(o, row->step);
	out_json_number(o, "begin_ns", row->begin);
	out_json_number(o, "duration_ns", row->end > row->begin ? row->end - row->begin : 0);
	out_json_number(o, "events", row->events);
	out_json_truth(o, "ended", row->ended);
	if (row->unrecorded)
		out_json_number(o, "unrecorded_ns", row->unrecorded);
	out_json_number(o, "compute_ns", row->sums[WORK_COMPUTE]);
	out_json_number(o, "copy_ns", row->sums[WORK_COPY]);
	out_json_number(o, "communication_ns", row->sums[WORK_COMMUNICATION]);
	out_json_number(o, "communication_not_overlapped_ns", row->not_overlapped);
	out_json_number(o, "idle_ns", row->idle);
	out_json_number(o, "free_ns", row->free);
	out_json_number(o, "e2e_ns", step_row_length(row));
	out_json_text(o, "times", row->by_device ? "device" : "host");
}
