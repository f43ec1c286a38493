#include <stdlib.h>

#include "analysis/run/run_json.h"
#include "analysis/util/alloc.h"

struct run_process *run_add(struct run *r)
{
	struct run_process *p;

	r->processes = alloc_grow(r->processes, r->count + 1, sizeof(*p));
	p = &r->processes[r->count++];
	*p = (struct run_process){ .rank = -1, .last_step = STEP_NULL, .signal = -1 };
	return p;
}

struct run_untraced *run_add_untraced(struct run *r)
{
	r->untraced = alloc_grow(r->untraced, r->untraced_count + 1, sizeof(*r->untraced));
	r->untraced[r->untraced_count] = (struct run_untraced){ .user = -1 };
	return &r->untraced[r->untraced_count++];
}

void run_add_count(struct run_counts *c, const char *name, size_t length, int64_t times)
{
	c->list = alloc_grow(c->list, c->count + 1, sizeof(*c->list));
	c->list[c->count++] = (struct run_count){ alloc_text(name, length), times };
}

void run_clear_counts(struct run_counts *c)
{
	for (unsigned int i = 0; i < c->count; i++)
		free(c->list[i].name);
	free(c->list);
	*c = (struct run_counts){ 0 };
}

void run_free(struct run *r)
{
	for (unsigned int i = 0; i < r->count; i++) {
#define COUNTS(name) run_clear_counts(&r->processes[i].name);
		PROCESS_COUNTS(COUNTS)
#undef COUNTS
	}
	free(r->command_line);
	r->command_line = NULL;
	free(r->children);
	r->children = NULL;
	r->child_count = 0;
	free(r->untraced);
	r->untraced = NULL;
	r->untraced_count = 0;
	free(r->processes);
	r->processes = NULL;
	r->count = 0;
}
