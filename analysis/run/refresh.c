#include "analysis/run/refresh.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/run/collect.h"
#include "analysis/run/collect_traces.h"
#include "analysis/run/launcher_lock.h"
#include "analysis/run/run_totals.h"
#include "analysis/session/recover.h"
#include "analysis/trace/trace.h"
#include "analysis/util/trace_paths.h"

void refresh_from_session(struct run_process *p, const struct session_entry *e)
{
	struct recovered found;

	collect_status(p, e);
	if (recover_inspect(e, &found))
		return;
	collect_counts(p, &found);
	if (session_is_over(e)) {
		p->waiting = (int64_t)found.events;
		p->guarded = launcher_is_alive(e->status->launch);
		collect_call(p, &found);
	}
	recovered_free(&found);
}

/* The name of the folder: the job. */
static const char *job_of(const char *folder)
{
	const char *slash = strrchr(folder, '/');

	return slash ? slash + 1 : folder;
}

static const struct session_entry *session_of(const struct run_process *p, const char *job, const struct sessions *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct session_status *s = all->list[i].status;

		if (s->pid == p->pid && !strcmp(s->host, p->host) && !strcmp(s->job, job))
			return &all->list[i];
	}
	return NULL;
}

/* Of this machine, and nobody has its number now: whatever there is to know of it, its files tell. */
static bool is_gone(const struct run_process *p)
{
	char host[sizeof(p->host)] = "";

	gethostname(host, sizeof(host) - 1);
	return !strcmp(host, p->host) && sessions_pid_is_free((uint32_t)p->pid);
}

static struct run_process *writer_of(struct run *r, const struct process *p)
{
	for (unsigned int i = 0; i < r->count; i++)
		if (run_is_alive(&r->processes[i]) && r->processes[i].pid == (int64_t)p->pid &&
		    !strcmp(r->processes[i].host, process_fact(p, "host")) && is_gone(&r->processes[i]))
			return &r->processes[i];
	return NULL;
}

static void ask_files(struct run *r, const char *folder)
{
	char *paths[] = { (char *)folder };
	struct run_process *of, fresh;
	struct trace t;

	if (!trace_paths_below(folder))
		return;
	trace_open(&t, paths, 1);
	for (size_t i = 0; i < t.count; i++) {
		if (!process_load(&t.processes[i]) && (of = writer_of(r, &t.processes[i]))) {
			fresh = (struct run_process){ .signal = -1 };
			collect_trace(&fresh, &t.processes[i], false);
			*of = fresh;
		}
		process_unload(&t.processes[i]);
	}
	trace_close(&t);
}

/* Returns whether one is gone with its session. */
static bool ask_sessions(struct run *r, const char *job)
{
	const struct session_entry *e;
	struct sessions all;
	bool gone = false;

	sessions_read(&all);
	for (unsigned int i = 0; i < r->count; i++) {
		struct run_process *p = &r->processes[i];

		if (!run_is_alive(p))
			continue;
		e = session_of(p, job, &all);
		if (e)
			refresh_from_session(p, e);
		else
			p->stale = !is_gone(p);
		gone |= !e && !p->stale;
	}
	sessions_free(&all);
	return gone;
}

static bool has_alive(const struct run *r)
{
	for (unsigned int i = 0; i < r->count; i++)
		if (run_is_alive(&r->processes[i]))
			return true;
	return false;
}

void refresh(struct run *r, const char *folder)
{
	if (!has_alive(r) || !ask_sessions(r, job_of(folder)))
		return;
	ask_files(r, folder);
	/* One that wrote no file and left no session ended in order. */
	for (unsigned int i = 0; i < r->count; i++)
		if (run_is_alive(&r->processes[i]) && is_gone(&r->processes[i]))
			snprintf(r->processes[i].state, sizeof(r->processes[i].state), "ended");
}
