#include "analysis/plans.h"

#include <string.h>

static const char *name_of(const struct trace_event *ev)
{
	return ev->launch && ev->launch->name ? ev->launch->name : "";
}

static uint64_t make(struct plans *p, const struct trace_event *ev)
{
	struct plan *plan = table_put(&p->made, ev->plan);

	*plan = (struct plan){ ++p->count, name_of(ev) };
	return plan->number;
}

static uint64_t run(struct plans *p, const struct trace_event *ev)
{
	struct plan *plan = table_find(&p->made, ev->plan);
	const char *name = name_of(ev);
	uint64_t number = plan ? plan->number : 0;

	if (!number || strncmp(plan->name, name, strlen(name)) || strcmp(plan->name + strlen(name), "GetWorkspaceSize"))
		return 0;
	plan->number = 0;
	return number;
}

uint64_t plans_number(struct plans *p, const struct trace_event *ev)
{
	if (!ev->plan || (ev->kind != EV_PREPARE && ev->kind != EV_OPERATOR))
		return 0;
	return ev->kind == EV_PREPARE ? make(p, ev) : run(p, ev);
}

void plans_free(struct plans *p)
{
	table_free(&p->made);
}
