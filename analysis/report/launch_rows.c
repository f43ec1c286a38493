#include "analysis/report/launch_rows.h"

#include <stdlib.h>

void launch_rows_begin(void *kept, struct process *p, const struct selection *asked)
{
	(void)p;
	(void)asked;
	((struct launch_rows *)kept)->rows = TABLE(struct kernel_row);
}

void launch_rows_end(void *kept)
{
	struct launch_rows *r = kept;

	r->list.rows = table_hand_over(&r->rows, &r->list.count, kernel_rows_order);
}

void launch_rows_free(void *kept)
{
	struct kernel_list *list = &((struct launch_rows *)kept)->list;

	for (size_t i = 0; i < list->count; i++)
		free(list->rows[i].name);
	kernel_rows_drop(list->rows, list->count);
}

void launch_rows_parcel(struct parcel *p, void *kept)
{
	kernel_list_parcel(p, &((struct launch_rows *)kept)->list);
}

struct kernel_row *launch_rows_of(struct launch_rows *r, const struct launch *launch, enum event_kind kind, char *(*name_of)(const struct launch *launch))
{
	struct kernel_row *row = table_put(&r->rows, (uintptr_t)launch);

	if (!row->name)
		row->name = name_of(launch);
	row->kind = kind;
	return row;
}
