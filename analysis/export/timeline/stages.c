#include "analysis/export/timeline/stages.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/export/timeline/categories.h"
#include "analysis/export/timeline/lanes.h"
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

static void put(struct line_writer *writer, uint32_t pid, struct lanes *lanes, const struct span_of_stage *span)
{
	const struct def_stage *def = &span->stage->def;
	const struct step_place place = { .stage = span->stage, .def = { .mini = -1, .micro = -1 } };
	struct field fields[PLACE_FIELDS_MAX];
	bool fresh;
	struct lane *lane = lanes_free(lanes, span->begin, &fresh);
	char title[96];

	if (fresh)
		lane->track = line_track(writer, pid, "stages", -1);
	lane->end = span->end;
	snprintf(title, sizeof(title), "%s.%u", span->stage->role, def->occurrence);
	line_passing_slice(writer, pid, lane->track, title, ANNOTATION, span->begin, span->end > span->begin ? span->end - span->begin : 0);
	line_step(writer, def->step);
	line_fields(writer, fields, event_fields_of_place(&place, fields));
	writer->format->close(writer);
}

void stage_tracks_put(struct line_writer *writer, uint32_t pid, struct process *p, const struct choice *choice, uint64_t last_ns)
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
		put(writer, pid, &lanes, &spans[i]);
	free(lanes.list);
	free(spans);
}
