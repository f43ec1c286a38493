#include "analysis/run/collect_traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/run/from_traces.h"
#include "analysis/session/recover.h"
#include "analysis/session/sessions.h"
#include "analysis/trace/trace.h"
#include "analysis/util/trace_paths.h"
#include "config/option.h"

/* Files may tell of calls only; how they ended tells the rest. */
static const char *state_of(const struct process *p)
{
	const struct trace_file *last = &p->files[p->file_count - 1];

	if (last->recovered)
		return strcmp(process_fact(p, "reason"), RECOVERED_REASON) ? "killed" : "left";
	if (last->ended)
		return "ended";
	/* A number of long ago may be somebody else's now; who writes a file calls it .part. */
	return !last->part || sessions_pid_is_free((uint32_t)p->pid) ? "killed" : "recording";
}

static void count(struct run_process *to, const struct process *p)
{
	to->files = (int64_t)p->file_count;
	for (size_t i = 0; i < p->file_count; i++) {
		const struct trace_file *f = &p->files[i];
		uint64_t called, dropped;

		trace_file_calls(f, &called, &dropped);
		to->entered += (int64_t)called;
		to->dropped += (int64_t)dropped;
		to->kept += (int64_t)f->kept;
		to->bytes += (int64_t)f->limit;
	}
}

static int64_t number(const struct process *p, const char *key, int64_t none)
{
	const char *text = key_values_get(&p->facts, key);

	return text ? strtoll(text, NULL, 10) : none;
}

void collect_trace(struct run_process *to, struct process *p, bool events)
{
#define TEXT(field, key) snprintf(to->field, sizeof(to->field), "%s", process_fact(p, key))
	TEXT(host, "host");
	TEXT(rank_source, "rank_source");
	TEXT(worker_group, "worker_group");
	TEXT(cause, "cause");
	TEXT(step_source, "step_source");
	TEXT(waited_for, "waited_for");
	TEXT(note, "note");
#undef TEXT
	snprintf(to->state, sizeof(to->state), "%s", state_of(p));
	snprintf(to->file, sizeof(to->file), "%s", p->files[p->file_count - 1].path);
	to->by_files = true;
	from_traces_inspect(to, p, events);
	to->pid = (int64_t)p->pid;
	to->rank = p->has_rank ? p->rank : -1;
	to->last_step = number(p, "last_step", STEP_NULL);
	to->boundaries = number(p, "boundaries", 0);
	to->waited_seconds = number(p, "waited_seconds", 0);
	to->untimed = number(p, "untimed", 0);
	to->queue_waits = number(p, "queue_waits", 0);
	to->queue_wait_ns = number(p, "queue_wait_ns", 0);
#define LIMIT(key) to->key = number(p, #key, 0);
	SESSION_LIMITS(LIMIT)
#undef LIMIT
	to->recovered = number(p, "recovered", 0);
	to->lost_buffers = number(p, "lost_buffers", 0);
	to->windows = (int64_t)p->file_count;
	count(to, p);
	to->unselected = (int64_t)process_unselected(p, (uint64_t)to->dropped);
}

static void take_asked(struct run *r, const struct process *p, const char *path)
{
	static const enum option_id told[] = { OPTION_steps, OPTION_schedule, OPTION_ranks, OPTION_level, OPTION_max_size, OPTION_analysis, OPTION_export_type };
	char why[256];

	r->asked.enable = true;
	r->loads = 1;
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
		option_set(&r->asked, told[i], process_fact(p, options[told[i]].key), why, sizeof(why));
	option_set(&r->asked, OPTION_save_path, path, why, sizeof(why));
}

/* Of several runs the one that began last speaks: causes and settings of others would be taken for its own. */
static const char *newest_job(const struct trace *t)
{
	const char *job = "";
	int64_t newest = -1, start;

	for (size_t i = 0; i < t->count; i++) {
		start = number(&t->processes[i], "start_ns", 0);
		if (start > newest)
			job = process_fact(&t->processes[i], "job");
		newest = start > newest ? start : newest;
	}
	return job;
}

bool collect_traces(struct run *r, const char *path, const char *launch)
{
	char *paths[] = { (char *)path };
	const char *job;
	struct trace t;
	bool readable;

	if (access(path, F_OK) || !trace_paths_below(path))
		return true;
	trace_open(&t, paths, 1);
	job = newest_job(&t);
	for (size_t i = 0; i < t.count; i++) {
		struct process *p = &t.processes[i];

		if (strcmp(process_fact(p, launch ? "launch" : "job"), launch ? launch : job))
			continue;
		if (!r->count && !launch)
			take_asked(r, p, path);
		if (!process_load(p))
			collect_trace(run_add(r), p, !launch);
		process_unload(p);
	}
	readable = !t.trouble;
	trace_close(&t);
	return readable;
}
