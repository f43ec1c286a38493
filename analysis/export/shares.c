#include "analysis/export/shares.h"

#include "analysis/util/alloc.h"

#define SHARES_A_JOB 4 /* windows are not alike: who has done with small ones takes more */

/* To each of its own the definitions of the whole process are read again. */
static size_t parts_of(const struct export *e, const struct process *p)
{
	size_t wanted = (SHARES_A_JOB * (size_t)e->jobs + e->all->count - 1) / e->all->count;

	if (!export_by_window(e) || e->jobs == 1 || wanted <= 1)
		return 1;
	return wanted < p->file_count ? wanted : p->file_count;
}

struct share *shares_make(const struct export *e, size_t *count)
{
	struct share *list = NULL;

	*count = 0;
	for (size_t i = 0; i < e->all->count; i++) {
		struct process *p = &e->all->processes[i];
		size_t parts = parts_of(e, p);

		list = alloc_grow(list, *count + parts, sizeof(*list));
		for (size_t k = 0; k < parts; k++)
			list[(*count)++] = (struct share){ p, p->file_count * k / parts, p->file_count * (k + 1) / parts };
	}
	return list;
}
