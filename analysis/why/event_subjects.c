#include "analysis/why/event_subjects.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/trace/shapes.h"
#include "analysis/trace/words.h"

static uint32_t *known(struct event_subjects *s, enum why_kind kind, uint64_t what)
{
	uint64_t key = (what ^ (kind + 1) * 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u; /* this is asked of every event */

	return table_put(&s->known, key | TABLE_NEAR);
}

static uint32_t numbered(struct event_subjects *s, enum why_kind kind, uint64_t what, const char *name, const char *detail)
{
	uint32_t *number = known(s, kind, what);

	if (!*number)
		*number = subjects_number(s->all, kind, name, detail) + 1;
	return *number - 1;
}

/* By the definition, which stays where it is while the process is read; of events without one by their entry point. */
static uint64_t named_by(uint16_t hook, const struct launch *l)
{
	return (uint64_t)(uintptr_t)l ^ (uint64_t)hook << 48;
}

enum why_kind event_subjects_kind(enum event_kind kind)
{
	switch (kind) {
	case EV_ALLOC:
	case EV_FREE: return WHY_ALLOCATION;
	case EV_MODULE: return WHY_FIRST_CALL;
	default: return WHY_HOST_CALL;
	}
}

uint32_t event_subjects_call(struct event_subjects *s, const struct trace_event *ev)
{
	const char *kernel = ev->launch && ev->launch->shown ? ev->launch->shown : "";

	if (ev->kind == EV_OPERATOR && !strcmp(kernel, ev->name))
		kernel = "";
	return numbered(s, event_subjects_kind(ev->kind), named_by(ev->hook, ev->launch), ev->name, kernel);
}

uint32_t event_subjects_copy(struct event_subjects *s, uint16_t hook, const char *name, enum copy_direction direction)
{
	return numbered(s, WHY_COPY, (uint64_t)direction << 32 | hook, name, direction < DIR_COUNT ? direction_words[direction] : "");
}

uint32_t event_subjects_collective(struct event_subjects *s, uint16_t hook, const char *name)
{
	return numbered(s, WHY_TRANSFER, hook, name, "");
}

/* ---- kernels ---- */

static void put_sizes(char *text, size_t size, const struct launch *l)
{
	size_t used = 0;

	text[0] = '\0';
	if (l->shapes) {
		shapes_line(text, size, l->shapes);
		return;
	}
	for (uint32_t i = 0; i < l->def.dimensions && i < 3 && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64, i ? "x" : "", l->def.global[i]);
}

static uint32_t kernel(struct event_subjects *s, const struct trace_device *dev)
{
	uint32_t *number = known(s, WHY_KERNEL_TIME, named_by(dev->kind == EV_OPERATOR ? dev->hook : 0, dev->launch));
	char sizes[SHAPES_LINE];

	if (*number)
		return *number - 1;
	sizes[0] = '\0';
	if (dev->launch)
		put_sizes(sizes, sizeof(sizes), dev->launch);
	*number = subjects_number(s->all, WHY_KERNEL_TIME, !dev->launch ? dev->name : dev->launch->shown ? dev->launch->shown
													 : "an unnamed kernel",
				  sizes) +
		  1;
	return *number - 1;
}

uint32_t event_subjects_work(struct event_subjects *s, const struct trace_device *dev)
{
	if (dev->kind == EV_COLLECTIVE)
		return event_subjects_collective(s, dev->hook, dev->name);
	if (dev->kind == EV_LAUNCH || dev->kind == EV_OPERATOR)
		return kernel(s, dev);
	return event_subjects_copy(s, dev->hook, dev->name, DIR_NONE);
}

void event_subjects_free(struct event_subjects *s)
{
	table_free(&s->known);
}
