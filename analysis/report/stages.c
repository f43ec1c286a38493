/* stages.c - section: how long each stage was, and what filled it. */
#include <inttypes.h>

#include "analysis/report/dropped_steps.h"
#include "analysis/report/section.h"
#include "analysis/report/stage_rows.h"
#include "analysis/report/step_columns.h"

static bool lost_calls(const struct report *r, const struct step_row *row)
{
	return dropped_steps_between(r, row->begin, row->end, row->step);
}

static void put_stage(struct out *o, const struct report *r, const struct stage_row *s, bool communication)
{
	const struct step_row *row = &s->row;

	step_columns_put(o, r, row, communication);
	out_utf8(o, s->role);
	out_format(o, ".%" PRIu32 "%s%s\n", s->occurrence,
		   row->unrecorded || row->cut ? ", in parts" : row->ended ? ""
									   : ", not ended",
		   lost_calls(r, row) ? STEP_COLUMNS_LOST : "");
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	bool communication = step_columns_communicate(reports, count), any = false;

	(void)top;
	for (size_t i = 0; i < count; i++)
		any |= reports[i].stage_count > 0;
	if (!any)
		return;
	step_columns_head(o, "Stages", reports, communication, "STAGE");
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < reports[i].stage_count; k++)
			put_stage(o, &reports[i], &reports[i].stages[k], communication);
}

static void json_stage(struct out *o, const struct report *r, const struct stage_row *s)
{
	step_columns_json(o, &s->row);
	out_json_text(o, "role", s->role);
	out_json_number(o, "occurrence", s->occurrence);
	if (lost_calls(r, &s->row))
		out_json_truth(o, "lost_calls", true);
	out_char(o, '}');
}

static void json(struct out *o, const struct report *r)
{
	out_json_key(o, "stages");
	out_char(o, '[');
	for (size_t i = 0; i < r->stage_count; i++) {
		out_json_comma(o, i);
		json_stage(o, r, &r->stages[i]);
	}
	out_char(o, ']');
}

const struct section stages_section = { .text = text, .json = json };
