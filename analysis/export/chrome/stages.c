#include "analysis/export/chrome/stages.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/export/chrome/lanes.h"
#include "analysis/util/alloc.h"

struct span_of_stage {
	const struct stage *stage;
	uint64_t begin, end;
};

static int by_begin(const void *a, const void *b)
{
	const struct span_of_stage *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->end < y->end) - (x->end > y->end);
}

static void put(struct records *records, uint32_t pid, struct lanes *lanes, const struct span_of_stage *span)
{
	const struct def_stage *def = &span->stage->def;
	const struct step_place place = { .stage = span->stage, .def = { .mini = -1, .micro = -1 } };
	struct field fields[PLACE_FIELDS_MAX];
	bool fresh, first = true;
	struct lane *lane = lanes_free(lanes, span->begin, &fresh);
	char title[96];

	if (fresh)
		lane->track = records_track(records, pid, "stages", -1);
	lane->end = span->end;
	snprintf(title, sizeof(title), "%s.%u", span->stage->role, def->occurrence);
	records_slice(records, pid, lane->track, title, "stage", span->begin, span->end - span->begin);
	records_step(records, &first, def->step);
	records_fields(records, &first, fields, event_fields_of_place(&place, fields));
	out_text(records->out, "}}");
}

void stage_tracks_put(struct records *records, uint32_t pid, struct process *p, const struct choice *choice, uint64_t last_ns)
{
	const struct table *stages = &p->defs.stages;
	struct span_of_stage *spans = alloc_zero(stages->count, sizeof(*spans));
	struct lanes lanes = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < stages->count; i++) {
		const struct stage *stage = table_item(stages, i);
		uint64_t begin = process_time(p, stage->def.begin), end = stage->def.end ? process_time(p, stage->def.end) : last_ns;

		if (choice_has_step(choice, stage->def.step) && choice_has_stage(choice, stage))
			spans[n++] = (struct span_of_stage){ stage, begin, end < begin ? begin : end };
	}
	if (n)
		qsort(spans, n, sizeof(*spans), by_begin);
	for (size_t i = 0; i < n; i++)
		put(records, pid, &lanes, &spans[i]);
	free(lanes.list);
	free(spans);
}
