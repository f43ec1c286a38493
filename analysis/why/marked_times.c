#include "analysis/why/marked_times.h"

static void add(struct marked_times *m, uint64_t begin, uint64_t end, const char *name)
{
	if (name && end > begin)
		items_add(m->list, begin, end, subjects_number(m->subjects, WHY_UNEXPLAINED, name, ""));
}

/* What torch_npu says of a collective is told by the collective. */
static void take_range(void *context, const struct range *range)
{
	if (range->ended && range->marker && !range->marker->communication)
		add(context, range->begin, range->end, range->marker->message);
}

static void take_stages(struct marked_times *m, struct process *p)
{
	for (size_t i = 0; i < p->defs.stages.count; i++) {
		const struct stage *stage = table_item(&p->defs.stages, i);

		if (stage->def.begin && stage->def.end)
			add(m, process_time(p, stage->def.begin), process_time(p, stage->def.end), stage->role);
	}
}

void marked_times_begin(struct marked_times *m, struct items *list, struct subjects *subjects)
{
	*m = (struct marked_times){ .list = list, .subjects = subjects, .open = RANGES(take_range, m) };
}

void marked_times_take(struct marked_times *m, const struct trace_event *ev)
{
	ranges_take(&m->open, ev);
}

void marked_times_end(struct marked_times *m, struct process *p)
{
	ranges_finish(&m->open);
	take_stages(m, p);
	items_sort(m->list);
}
