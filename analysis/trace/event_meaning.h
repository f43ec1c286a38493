/*
 * event_meaning.h - what a slot's numbers mean, by the kind of its event: launches, collectives, stacks in place of their ids. Asked for each slot, so
 * it is no call.
 */
#pragma once
#include "analysis/trace/trace.h"

static inline bool launches(enum event_kind kind)
{
	return kind == EV_LAUNCH || kind == EV_OPERATOR || kind == EV_PREPARE;
}

static inline uint8_t known_direction(uint64_t arg)
{
	return EVENT_DIRECTION(arg) < DIR_COUNT ? EVENT_DIRECTION(arg) : DIR_OTHER;
}

static inline const struct hook_name *hook_of(const struct process *p, uint16_t number)
{
	static const struct hook_name unknown = { .name = "unknown", .kind = EV_KINDS };
	const struct hook_name *hook = table_find(&p->defs.hooks, number);

	return hook ? hook : &unknown;
}

/* The key is a definition's id, no address. */
static inline const void *definition(struct trace_event *ev, const struct table *definitions, uint64_t id)
{
	const void *found = table_find(definitions, id);

	ev->address = 0;
	ev->nameless = ev->unusual = id && !found;
	return found;
}

static inline const struct launch *launch_of(struct trace_event *ev, const struct defs *d, uint64_t id)
{
	const struct launch *launch = definition(ev, &d->launches, id);

	if (launch && !launch->name && launch->def.name)
		ev->nameless = ev->unusual = true;
	return launch;
}

/* Of a family of functions the row's name is a pattern: each tells its own. */
static inline const char *function_name(const struct hook_name *hook, const struct launch *launch)
{
	return hook->family && launch && launch->name ? launch->name : hook->name;
}

/* The argument is the address of a plan. */
static inline void take_plan(struct trace_event *ev, uint64_t arg)
{
	ev->plan = arg & EVENT_BYTES;
	ev->bytes = 0;
	ev->direction = DIR_NONE;
}

/* What key, stream and argument are with events of this kind. */
static inline void take_meaning(struct trace_event *ev, const struct defs *d, const struct event *slot, const struct hook_name *hook)
{
	switch (ev->kind) {
	case EV_OPERATOR:
	case EV_PREPARE:
		take_plan(ev, slot->arg);
		ev->launch = launch_of(ev, d, slot->key);
		ev->name = function_name(hook, ev->launch);
		break;
	case EV_LAUNCH: ev->launch = launch_of(ev, d, slot->key); break;
	case EV_COLLECTIVE: ev->definition = definition(ev, &d->collectives, slot->key); break;
	case EV_COMMUNICATOR: ev->definition = definition(ev, &d->communicators, slot->key); break;
	case EV_MARKER: ev->definition = definition(ev, &d->markers, slot->key); break;
	case EV_POOL_ALLOC:
	case EV_POOL_FREE:
		ev->definition = table_find(&d->pools, slot->stream);
		ev->stream = 0;
		break;
	default: break;
	}
}

static inline void take_stack(struct trace_event *ev, const struct stack_tables *t, const struct event *slot)
{
	uint64_t native = STACK_NATIVE(slot->arg);
	unsigned int of = STACK_OF_ARG(slot->arg);

	ev->has_stack = true;
	ev->stack = stacks_find(t, slot->key, STACK_PYTHON);
	ev->native = stacks_find(t, native, STACK_NATIVE);
	ev->stack_of = of < STACK_OF_COUNT ? of : STACK_OF_COUNT;
	ev->stack_lost = (slot->key && !ev->stack) || (native && !ev->native);
}
