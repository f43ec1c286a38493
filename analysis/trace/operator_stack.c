#include "analysis/trace/operator_stack.h"

static void open_operator(struct operators *o, const struct trace_event *ev)
{
	struct operators_of *of = table_put(&o->threads, ev->tid);

	if (of->count == OPERATORS_NESTED)
		return;
	of->open[of->count].end = ev->begin_ns + ev->duration_ns;
	of->open[of->count++].name = ev->launch && ev->launch->name ? ev->launch->name : ev->name;
}

const char *operators_find(struct operators *o, const struct trace_event *ev)
{
	struct operators_of *of = table_find(&o->threads, ev->tid);
	const char *name = NULL;

	if (of) {
		while (of->count && of->open[of->count - 1].end < ev->begin_ns + ev->duration_ns)
			of->count--;
		name = of->count ? of->open[of->count - 1].name : NULL;
	}
	if (ev->kind == EV_OPERATOR)
		open_operator(o, ev);
	return name;
}

void operators_free(struct operators *o)
{
	table_free(&o->threads);
}
