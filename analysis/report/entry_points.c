#include "analysis/report/entry_points.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

void entry_points_init(struct entry_points *e)
{
	e->hooks = TABLE(uint64_t);
	e->functions = TABLE(uint64_t);
}

static void add(struct table *rows, const char *name, uint64_t count)
{
	struct count_row *row = table_add(rows, rows->count);

	*row = (struct count_row){ alloc_text(name, strlen(name)), count };
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct count_row *)a)->name, ((const struct count_row *)b)->name);
}

/* Two rows may have one name (two providers). How many are left. */
static size_t merge(struct count_row *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 1; i < count; i++) {
		if (by_name(&rows[kept], &rows[i])) {
			rows[++kept] = rows[i];
			continue;
		}
		rows[kept].count += rows[i].count;
		free(rows[i].name);
	}
	return count ? kept + 1 : 0;
}

struct count_row *entry_points_hand_over(struct entry_points *e, const struct defs *d, size_t *count)
{
	struct table rows = TABLE(struct count_row);
	struct count_row *list;

	for (size_t i = 0; i < e->hooks.count; i++) {
		const struct hook_name *hook = table_find(&d->hooks, e->hooks.keys[i]);

		if (!hook || (hook->kind != EV_OPERATOR && hook->kind != EV_PREPARE))
			add(&rows, hook ? hook->name : "unknown", *(uint64_t *)table_item(&e->hooks, i));
	}
	for (size_t i = 0; i < e->functions.count; i++)
		add(&rows, (const char *)(uintptr_t)e->functions.keys[i], *(uint64_t *)table_item(&e->functions, i));
	table_free(&e->hooks);
	table_free(&e->functions);
	list = table_hand_over(&rows, count, by_name);
	*count = merge(list, *count);
	return list;
}
