#include "analysis/export/shares.h"

#include <sys/stat.h>

#include "analysis/util/alloc.h"

#define SHARES_A_JOB 4 /* windows are not alike: who has done with small ones takes more */

#define PART_BYTES   (256u << 10) /* of a trace, and more: below it takes longer to begin one */
#define PARTS_MOST   8

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

uint64_t share_size(const struct share *s)
{
	struct stat st;
	uint64_t sum = 0;

	for (size_t i = s->begin; i < s->end; i++)
		sum += stat(s->process->files[i].path, &st) ? 0 : (uint64_t)st.st_size;
	return sum;
}

static size_t processes_of(const struct export *e)
{
	return e->only ? 1 : e->all->count;
}

/* To each of its own the definitions of the whole process are read again. */
static size_t windows_of(const struct export *e, const struct process *p)
{
	size_t wanted = (SHARES_A_JOB * (size_t)e->jobs + processes_of(e) - 1) / processes_of(e);

	return export_by_window(e) && e->jobs > 1 && wanted > 1 ? least(wanted, p->file_count) : 1;
}

/* And to each of these all of it, so that all of them have a job at once; more than these gain little, and take memory. */
static size_t parts_of(const struct export *e, const struct share *whole)
{
	size_t most = least(PARTS_MOST, (size_t)(share_size(whole) / PART_BYTES)), wanted = e->jobs / processes_of(e);

	return e->exporter->turn && wanted > 1 && most > 1 && (!e->only || e->only == whole->process) ? least(wanted, most) : 1;
}

struct share *shares_make(const struct export *e, size_t *count)
{
	struct share *list = NULL;

	*count = 0;
	for (size_t i = 0; i < e->all->count; i++) {
		struct process *p = &e->all->processes[i];
		size_t windows = windows_of(e, p), parts = parts_of(e, &(struct share){ .process = p, .end = p->file_count });

		list = alloc_grow(list, *count + windows * parts, sizeof(*list));
		for (size_t k = 0; k < windows * parts; k++)
			list[(*count)++] = (struct share){
				.process = p,
				.begin = p->file_count * (k / parts) / windows,
				.end = p->file_count * (k / parts + 1) / windows,
				.part = (unsigned int)(k % parts),
				.parts = (unsigned int)parts,
			};
	}
	return list;
}
