#include "analysis/report/without_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/dropped_why.h"
#include "analysis/run/run_totals.h"
#include "analysis/session/recover.h"
#include "analysis/util/alloc.h"

static void add(struct report *to, const struct run_process *p)
{
	struct report *r;

	to->without_files = alloc_grow(to->without_files, to->without_count + 1, sizeof(*r));
	r = &to->without_files[to->without_count++];
	*r = (struct report){ .has_rank = p->rank >= 0, .rank = p->rank, .pid = (uint64_t)p->pid };
	r->called = (uint64_t)p->entered;
	r->dropped = (uint64_t)p->dropped;
	r->unselected = (uint64_t)run_unselected(p);
	key_values_set(&r->facts, "cause", p->cause);
	key_values_set(&r->facts, "host", p->host);
	key_values_set(&r->facts, "worker_group", p->worker_group);
}

static struct report *first_of(struct report *reports, size_t count, const char *folder)
{
	for (size_t i = 0; i < count; i++)
		if (reports[i].folder && !strcmp(reports[i].folder, folder))
			return &reports[i];
	return NULL;
}

void without_files_take(struct report *reports, size_t count, const struct known_runs *runs, const struct choice *choice)
{
	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = runs->list[i].run;
		struct report *first = first_of(reports, count, runs->list[i].folder);

		for (unsigned int k = 0; first && k < run->count; k++) {
			const struct run_process *p = &run->processes[k];

			if (!p->kept && !p->files && (run_lost(p) || run_ended_waiting(p)) && choice_has_rank(choice, p->rank >= 0, p->rank))
				add(first, p);
		}
	}
}

bool without_files_lost(const struct report *r)
{
	for (size_t i = 0; i < r->without_count; i++)
		if (report_missed(&r->without_files[i]))
			return true;
	return false;
}

void without_files_free(struct report *r)
{
	for (size_t i = 0; i < r->without_count; i++)
		key_values_free(&r->without_files[i].facts);
	free(r->without_files);
}

void without_files_line(struct out *o, const struct report *r)
{
	if (!dropped_why_put(o, r))
		out_format(o, "%" PRIu64 " of %" PRIu64 " calls " RECOVERED_WAITED, r->unselected, r->called);
	out_text(o, "; it has no file: see `ranktrace check`\n");
}

static void put(struct out *o, const struct report *r, bool more)
{
	out_text(o, more ? ",\n" : "\n");
	report_json_begin(o, r);
	out_json_text(o, "worker_group", *report_fact(r, "worker_group") ? report_fact(r, "worker_group") : NULL);
	out_json_number(o, "pid", r->pid);
	out_json_text(o, "host", report_fact(r, "host"));
	out_json_number(o, "called", r->called);
	out_json_number(o, "dropped", r->dropped);
	out_json_text(o, "cause", report_fact(r, "cause"));
	out_char(o, '}');
}

void without_files_json(struct out *o, const struct report *reports, size_t count)
{
	bool more = false;

	out_text(o, ",\n\"without_files\":[");
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < reports[i].without_count; k++) {
			put(o, &reports[i].without_files[k], more);
			more = true;
		}
	}
	out_char(o, ']');
}
