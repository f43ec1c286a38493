/* report.c - one process into a report, and all sections out of it. */
#include "analysis/report/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/report/collect.h"
#include "analysis/report/dropped_note.h"
#include "analysis/report/live_session.h"
#include "analysis/report/run_of.h"
#include "analysis/report/section.h"
#include "analysis/report/without_files.h"
#include "analysis/session/recover.h"

const char *report_fact(const struct report *r, const char *key)
{
	const char *value = key_values_get(&r->facts, key);

	return value ? value : "";
}

/* ---- filling it ---- */

static void count_calls(struct report *r, const struct process *p)
{
	for (size_t i = 0; i < p->file_count; i++) {
		uint64_t called, dropped;

		trace_file_calls(&p->files[i], &called, &dropped);
		r->called += called;
		r->dropped += dropped;
	}
	r->unselected = process_unselected(p, r->dropped);
	/* Of a killed process the counters of buffers that ended with it are lost, but not what they had written. */
	if (key_values_number(&p->facts, "lost_buffers", 0) && r->called < r->kept + r->dropped)
		r->called = r->kept + r->dropped;
	r->in_flight = (int64_t)(r->called - r->kept - r->dropped);
}

static uint64_t bytes_of(const struct process *p)
{
	uint64_t sum = 0;
	struct stat st;

	for (size_t i = 0; i < p->file_count; i++)
		if (!stat(p->files[i].path, &st))
			sum += (uint64_t)st.st_size;
	return sum;
}

static void note_ends(struct report *r, const struct process *p)
{
	r->clean_end = true;
	for (size_t i = 0; i < p->file_count; i++) {
		if (!p->files[i].ended || p->files[i].recovered)
			r->clean_end = false;
		r->recovered |= p->files[i].recovered;
	}
	r->left = r->recovered && !strcmp(process_fact(p, "reason"), RECOVERED_REASON);
}

void report_read_files(struct report *r, struct process *p, const struct choice *asked)
{
	sections_make(r);
	r->files = p->file_count;
	r->bytes = bytes_of(p);
	if (process_load(p))
		r->unreadable = true;
	else
		collect_events(r, p, asked);
	r->has_rank = p->has_rank;
	r->chosen = choice_has_process(asked, p);
	r->rank = p->rank;
	r->pid = p->pid;
	count_calls(r, p);
	note_ends(r, p);
	process_loss(p, &r->loss, &r->lost_slots);
	r->lost = process_lost(p);
	process_unload(p);
	r->facts = p->facts; /* outlives the process */
	p->facts = (struct key_values){ 0 };
}

void report_complete(struct report *r, const struct process *p, const struct sessions *all, struct known_runs *runs)
{
	r->empty_files = p->empty_files;
	r->lost |= r->empty_files > 0;
	live_session_add(r, p->file_id, all);
	run_of_take(runs, r, p);
}

void report_read(struct report *r, struct process *p, const struct choice *asked, const struct sessions *all,
		 struct known_runs *runs)
{
	report_read_files(r, p, asked);
	report_complete(r, p, all, runs);
}

void report_free(struct report *r)
{
	sections_free(r);
	without_files_free(r);
	collect_free(r);
	free(r->folder);
	free(r->command);
	key_values_free(&r->facts);
}

bool report_is_same_rank(const struct report *a, const struct report *b)
{
	return a->has_rank == b->has_rank && a->rank == b->rank && !strcmp(report_fact(a, "worker_group"), report_fact(b, "worker_group"));
}

static bool shares_rank(const struct report *a, const struct report *b)
{
	return report_is_same_rank(a, b) && (a->pid != b->pid || strcmp(report_fact(a, "host"), report_fact(b, "host")));
}

void told_apart_take(struct told_apart *t, const struct report *r)
{
	if (r->has_rank)
		rank_groups_take(&t->groups, report_fact(r, "worker_group"));
	t->shared |= t->before && shares_rank(t->before, r);
	t->before = r;
}

void told_apart_note(const struct told_apart *t, struct report *r)
{
	r->grouped = t->groups.several;
	r->with_pid = t->shared;
}

int report_order(const void *a, const void *b)
{
	const struct report *x = a, *y = b;
	int order;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	order = strcmp(report_fact(x, "worker_group"), report_fact(y, "worker_group"));
	if (!order)
		order = strcmp(report_fact(x, "host"), report_fact(y, "host"));
	return order ? order : (x->pid > y->pid) - (x->pid < y->pid);
}

/* ---- showing it ---- */

static void put_section(struct out *o, const struct section *section, const char *name, const struct report *reports, size_t count, const struct shown *shown)
{
	uint64_t before = o->written + o->used;

	section->text(o, reports, count, shown->top);
	if (section->of_calls && o->written + o->used != before)
		dropped_note_line(o, reports, count, section->all_steps);
	if (shown->only && o->written + o->used == before)
		out_format(o, "\n%s: nothing to show\n", name);
}

void report_text(struct out *o, const struct report *reports, size_t count, const struct shown *shown)
{
	static const struct {
		const struct section *section;
		const char *name;
	} list[] = {
#define TEXT(name) { &name##_section, #name },
#define JSON(name)
#define SECTION(name) { &name##_section, #name },
#include "analysis/report/sections.def"
#undef TEXT
#undef JSON
#undef SECTION
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (list[i].section->text && section_is_among(shown->only, list[i].name))
			put_section(o, list[i].section, list[i].name, reports, count, shown);
}

void report_json_begin(struct out *o, const struct report *r)
{
	out_text(o, "{\"rank\":");
	if (r->has_rank)
		out_i64(o, r->rank);
	else
		out_text(o, "null");
}

static void put_process(struct out *o, const struct report *r, const struct shown *shown)
{
	const char *const *names = section_json_names();

	report_json_begin(o, r);
	for (size_t i = 0; i < SECTIONS; i++)
		if (section_list[i]->json && section_is_among(shown->only, names[i]))
			section_list[i]->json(o, r);
	out_char(o, '}');
}

void report_json(struct out *o, const struct report *reports, size_t count, const struct shown *shown)
{
	out_text(o, "{\"ranks\":[");
	for (size_t i = 0; i < count; i++) {
		out_text(o, i ? ",\n" : "\n");
		put_process(o, &reports[i], shown);
	}
	out_text(o, "\n]");
	without_files_json(o, reports, count);
	out_text(o, "}\n");
}
