#include "analysis/trace/plan_join.h"

#include <string.h>

static const char *name_of(const struct trace_event *ev)
{
	return ev->launch && ev->launch->name ? ev->launch->name : "";
}

static uint64_t make(struct plans *p, const struct trace_event *ev)
{
	struct place *place = table_put(&p->made, ev->plan);

	place->older = place->newer;
	place->newer = (struct plan){ ++p->count, ev->begin_ns + ev->duration_ns, name_of(ev) };
	return p->count;
}

static bool is_of(const struct plan *plan, const struct trace_event *ev)
{
	const char *name = name_of(ev);
	size_t length = strlen(name);

	return plan->number && plan->end_ns <= ev->begin_ns && !strncmp(plan->name, name, length) &&
	       !strcmp(plan->name + length, "GetWorkspaceSize");
}

static uint64_t run(struct plans *p, const struct trace_event *ev)
{
	struct place *place = table_find(&p->made, ev->plan);
	struct plan *plan = !place ? NULL : is_of(&place->newer, ev) ? &place->newer
				    : is_of(&place->older, ev)	     ? &place->older
								     : NULL;
	uint64_t number = plan ? plan->number : 0;

	if (plan)
		plan->number = 0;
	return number;
}

uint64_t plans_find(struct plans *p, const struct trace_event *ev)
{
	if (ev->kind != EV_PREPARE && ev->kind != EV_OPERATOR)
		return 0;
	return ev->kind == EV_PREPARE ? make(p, ev) : run(p, ev);
}

void plans_free(struct plans *p)
{
	table_free(&p->made);
}
