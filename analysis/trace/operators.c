#include "analysis/trace/operators.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

/* ---- the operator around a call ---- */

static void open_operator(struct operators *o, const struct trace_event *ev)
{
	struct operator_stack *stack = table_put(&o->threads, ev->tid);

	if (stack->count == stack->capacity) {
		stack->capacity = stack->capacity ? 2 * stack->capacity : 4;
		stack->open = alloc_grow(stack->open, stack->capacity, sizeof(*stack->open));
	}
	stack->open[stack->count++] = (struct open_operator){
		.end = ev->begin_ns + ev->duration_ns,
		.name = ev->launch && ev->launch->name ? ev->launch->name : ev->name,
		.ring = ev->ring,
		.slot = ev->slot,
	};
}

const char *operators_find(struct operators *o, const struct trace_event *ev)
{
	struct operator_stack *stack = table_find(&o->threads, ev->tid);
	const char *name = NULL;

	if (stack) {
		while (stack->count && stack->open[stack->count - 1].end < ev->begin_ns + ev->duration_ns)
			stack->count--;
		if (stack->count) {
			const struct open_operator *around = &stack->open[stack->count - 1];

			name = around->name;
			o->around_ring = around->ring;
			o->around_slot = around->slot;
		}
	}
	if (ev->kind == EV_OPERATOR)
		open_operator(o, ev);
	return name;
}

/* ---- first phases and the operators that they were for ---- */

static const char *name_of(const struct trace_event *ev)
{
	return ev->launch && ev->launch->name ? ev->launch->name : "";
}

static uint64_t make_plan(struct operators *o, const struct trace_event *ev)
{
	struct plans_at *at = table_put(&o->plans, ev->plan);

	at->older = at->newer;
	at->newer = (struct plan){ ++o->planned, ev->begin_ns + ev->duration_ns, name_of(ev) };
	return o->planned;
}

static bool is_of(const struct plan *plan, const struct trace_event *ev)
{
	const char *name = name_of(ev);
	size_t length = strlen(name);

	return plan->number && plan->end_ns <= ev->begin_ns && !strncmp(plan->name, name, length) &&
	       !strcmp(plan->name + length, "GetWorkspaceSize");
}

static uint64_t run_plan(struct operators *o, const struct trace_event *ev)
{
	struct plans_at *at = table_find(&o->plans, ev->plan);
	struct plan *plan = NULL;
	uint64_t number;

	if (at && is_of(&at->newer, ev))
		plan = &at->newer;
	else if (at && is_of(&at->older, ev))
		plan = &at->older;
	number = plan ? plan->number : 0;
	if (plan)
		plan->number = 0;
	return number;
}

uint64_t operators_find_plan(struct operators *o, const struct trace_event *ev)
{
	if (ev->kind != EV_PREPARE && ev->kind != EV_OPERATOR)
		return 0;
	return ev->kind == EV_PREPARE ? make_plan(o, ev) : run_plan(o, ev);
}

void operators_free(struct operators *o)
{
	for (size_t i = 0; i < o->threads.count; i++)
		free(((struct operator_stack *)table_item(&o->threads, i))->open);
	table_free(&o->threads);
	table_free(&o->plans);
}
