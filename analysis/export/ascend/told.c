#include "analysis/export/ascend/told.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "analysis/export/ascend/ascend.h"
#include "analysis/util/alloc.h"
#include "analysis/util/rank_list.h"

struct ascend_told {
	size_t count;
	struct told_process {
		_Atomic uint64_t folders, untimed; /* untimed: steps */
		int level;			   /* that was recorded: forks that export some windows each write the same */
		bool has_rank;
		int64_t rank;
	} processes[];
};

static size_t size_for(size_t processes)
{
	return sizeof(struct ascend_told) + processes * sizeof(struct told_process);
}

struct ascend_told *told_new(size_t processes)
{
	struct ascend_told *t = alloc_shared(size_for(processes));

	t->count = processes;
	return t;
}

static struct told_process *process_of(struct ascend_told *t, const struct ascend *a)
{
	return &t->processes[a->process - a->export->trace->processes];
}

void told_untimed(struct ascend_told *t, const struct ascend *a)
{
	process_of(t, a)->untimed++;
}

void told_folder(struct ascend_told *t, const struct ascend *a)
{
	struct told_process *p = process_of(t, a);

	p->folders++;
	p->level = a->level;
	p->has_rank = a->process->has_rank;
	p->rank = a->process->rank;
}

static const struct {
	int level;
	const char *what, *file;
} elsewhere[] = {
#define COLUMN(...)
#define UNKNOWN(...)
#define ELSEWHERE(level, what, file) { level, what, file },
#include "analysis/export/ascend/columns.def"
#undef ELSEWHERE
#undef UNKNOWN
#undef COLUMN
};

/* The columns of N/A and what has no file at all: that nobody looks for it in vain. */
static void say_elsewhere(int level, bool text)
{
	const char *between = "ranktrace: made of the program's calls only; missing here: ";

	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++) {
		if (elsewhere[i].level > level)
			continue;
		fprintf(stderr, "%s%s", between, elsewhere[i].what);
		if (text && *elsewhere[i].file)
			fprintf(stderr, " (%s)", elsewhere[i].file);
		between = "; ";
	}
	fputc('\n', stderr);
}

/* Which ranks have folders of several processes. */
static void say_processes(const struct ascend_told *t)
{
	struct table seen = TABLE(uint32_t); /* by rank */
	int64_t *ranks = alloc_zero(t->count, sizeof(*ranks));
	size_t n = 0;
	char *list;

	for (size_t i = 0; i < t->count; i++) {
		const struct told_process *p = &t->processes[i];

		if (p->folders && p->has_rank && ++*(uint32_t *)table_put(&seen, (uint64_t)p->rank) == 2)
			ranks[n++] = p->rank;
	}
	list = rank_list("rank", ranks, n);
	if (n)
		fprintf(stderr,
			"ranktrace: %s: folders of several processes, of which cluster tools read the newest: export the traces of one process, or one of "
			"the --roles, to a folder of its own (-o)\n",
			list);
	free(list);
	free(ranks);
	table_free(&seen);
}

void told_say(const struct ascend_told *t, bool text)
{
	bool folders = false, several = false;
	uint64_t untimed = 0;
	int level = 0;

	for (size_t i = 0; i < t->count; i++) {
		const struct told_process *p = &t->processes[i];

		folders |= p->folders;
		several |= p->folders > 1;
		untimed += p->untimed;
		level = p->level > level ? p->level : level;
	}
	if (folders)
		say_elsewhere(level, text);
	if (several)
		fputs("ranktrace: a folder for each window of a rank: of several, cluster tools read the newest; --merge-windows makes one of them\n", stderr);
	if (untimed)
		fprintf(stderr, "ranktrace: no step times of %" PRIu64 " step%s, of whose launches no device times were taken (--device-every)\n", untimed,
			untimed == 1 ? "" : "s");
	say_processes(t);
}

void told_free(struct ascend_told *t)
{
	munmap(t, size_for(t->count));
}
