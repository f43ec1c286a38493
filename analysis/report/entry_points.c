/* entry_points.c - section: how often each entry point was called. */
#include "analysis/report/entry_points.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/report/section.h"
#include "analysis/util/alloc.h"

static void begin(void *kept, struct process *p, const struct selection *asked)
{
	(void)asked;
	*(struct entry_points *)kept = (struct entry_points){
		.defs = &p->defs,
		.hooks = TABLE(uint64_t),
		.functions = TABLE(uint64_t),
	};
}

/* Of operators and their first phases. */
static void take_function(void *kept, const struct trace_event *ev)
{
	struct entry_points *e = kept;

	++*(uint64_t *)table_put(&e->functions, (uintptr_t)ev->name);
}

static void add(struct table *rows, const char *name, uint64_t count)
{
	struct entry_point *row = table_add(rows, rows->count);

	*row = (struct entry_point){ alloc_text(name, strlen(name)), count };
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry_point *)a)->name, ((const struct entry_point *)b)->name);
}

/* Two rows may have one name (two providers). How many are left. */
static size_t merge(struct entry_point *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 1; i < count; i++) {
		if (by_name(&rows[kept], &rows[i])) {
			rows[++kept] = rows[i];
			continue;
		}
		rows[kept].calls += rows[i].calls;
		free(rows[i].name);
	}
	return count ? kept + 1 : 0;
}

static void end(void *kept)
{
	struct entry_points *e = kept;
	struct table rows = TABLE(struct entry_point);

	for (size_t i = 0; i < e->hooks.count; i++) {
		const struct hook_name *hook = table_find(&e->defs->hooks, e->hooks.keys[i]);

		if (!hook || (hook->kind != EV_OPERATOR && hook->kind != EV_PREPARE))
			add(&rows, hook ? hook->name : "unknown", *(uint64_t *)table_item(&e->hooks, i));
	}
	for (size_t i = 0; i < e->functions.count; i++)
		add(&rows, (const char *)(uintptr_t)e->functions.keys[i], *(uint64_t *)table_item(&e->functions, i));
	table_free(&e->hooks);
	table_free(&e->functions);
	e->list = table_hand_over(&rows, &e->count, by_name);
	e->count = merge(e->list, e->count);
}

static void let_go(void *kept)
{
	struct entry_points *e = kept;

	for (size_t i = 0; i < e->count; i++)
		free(e->list[i].name);
	free(e->list);
}

static void json(struct out *o, const struct report *r)
{
	const struct entry_points *e = r->sections[SECTION_entry_points];

	out_json_key(o, "entry_points");
	out_char(o, '{');
	for (size_t i = 0; i < e->count; i++) {
		out_json_comma(o, i);
		out_json(o, e->list[i].name);
		out_char(o, ':');
		out_u64(o, e->list[i].calls);
	}
	out_char(o, '}');
}

const struct section entry_points_section = {
	.kept = sizeof(struct entry_points),
	.begin = begin,
	.visitor.event = take_function,
	.kinds = KIND_BIT(EV_OPERATOR) | KIND_BIT(EV_PREPARE),
	.end = end,
	.free = let_go,
	.json = json,
};
