/* collect.c - the launcher's last walk through tmpfs. */
#include "analysis/run/collect.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/format/causes.h"
#include "analysis/run/collect_traces.h"
#include "analysis/run/launcher_lock.h"
#include "analysis/run/run_totals.h"
#include "analysis/session/recover.h"
#include "analysis/util/alloc.h"
#include "analysis/util/key_values.h"
#include "hooks/rows/table.h"

static const char *state_word(const struct session_entry *s)
{
	uint32_t state = s->status->state;

	if (state == SESSION_ENDED)
		return "ended";
	if (state == SESSION_EXECUTED)
		return "executed";
	if (!s->alive)
		return session_has_left(s) ? "left" : "killed";
	return state == SESSION_RECORDING || state == SESSION_LEFT ? "recording" : "dormant";
}

static void add_unrecorded(struct run_process *p, const char *name, uint64_t calls)
{
	run_add_count(&p->unrecorded, name, strlen(name), (int64_t)calls);
	p->unrecorded_calls += (int64_t)calls;
}

/* An agent with another number of rows than ours was built from other tables: numbers, then. */
static void collect_unrecorded(struct run_process *p, const struct session_status *s)
{
	bool same = s->hooks == hook_row_count;
	char number[32];

	for (unsigned int i = 0; i < s->hooks; i++) {
		snprintf(number, sizeof(number), "hook-%u", i);
		if (s->unrecorded[i])
			add_unrecorded(p, same ? hook_rows[i].name : number, s->unrecorded[i]);
	}
}

/* Of the clock: how many steps it told, or of a function how often it was called. */
static int64_t calls_heard(uint64_t heard, uint64_t boundaries)
{
	if (heard & SOURCE_CLOCK && !(heard & SOURCE_CALLS))
		return (int64_t)boundaries;
	if (heard & SOURCE_FOUND)
		return (int64_t)(heard & SOURCE_CALLS);
	return heard & SOURCE_LACKED ? SOURCE_ABSENT : SOURCE_AWAY;
}

static void collect_heard(struct run_process *p, const struct session_status *s)
{
	const char *line = s->sources;

	run_clear_counts(&p->sources);
	run_clear_counts(&p->stages);
	run_clear_counts(&p->unread);
	for (unsigned int i = 0; i < SOURCES_HEARD && *line; i++) {
		size_t length = strcspn(line, "\n");

		if (length)
			run_add_count(&p->sources, line, length, calls_heard(s->heard[i], s->boundaries));
		if (length && s->unread[i])
			run_add_count(&p->unread, line, length, (int64_t)s->unread[i]);
		line += length + (line[length] == '\n');
	}
	for (unsigned int i = 0; i < STAGES_HEARD; i++) /* a forked child's need not be the first ones */
		if (s->stages[i].role[0])
			run_add_count(&p->stages, s->stages[i].role, strnlen(s->stages[i].role, sizeof(s->stages[i].role)), (int64_t)s->stages[i].times);
	p->minis = (int64_t)s->minis;
	p->micros = (int64_t)s->micros;
}

/* What a session says has room in a run. */
#define FITS(field) \
	_Static_assert(sizeof(((struct run_process *)0)->field) >= sizeof(((struct session_status *)0)->field), #field);
FITS(host)
FITS(rank_source)
FITS(worker_group)
FITS(step_source)
FITS(waited_for)
FITS(file)
FITS(libraries)
FITS(note)
FITS(save_path)
FITS(unsaid)
FITS(packages)

void collect_status(struct run_process *p, const struct session_entry *e)
{
	const struct session_status *s = e->status;
	struct key_values facts = { 0 };

#define COPY(to, from) snprintf(p->to, sizeof(p->to), "%s", from)
	COPY(host, s->host);
	COPY(rank_source, s->rank_source);
	COPY(worker_group, s->worker_group);
	COPY(state, state_word(e));
	COPY(cause, session_cause_word(s->cause));
	COPY(step_source, s->step_source);
	COPY(waited_for, s->waited_for);
	COPY(file, s->final[0] ? s->final : s->file);
	COPY(libraries, s->libraries);
	COPY(save_path, s->save_path);
	COPY(note, s->note);
	COPY(unsaid, s->unsaid);
	COPY(packages, s->packages);
	key_values_parse(&facts, s->facts, strlen(s->facts));
	if (key_values_get(&facts, "error"))
		COPY(detail, key_values_get(&facts, "error"));
#undef COPY
	p->pid = s->pid;
	p->rank = s->rank;
	p->unrecorded_calls = 0;
	run_clear_counts(&p->unrecorded);
	p->error = s->error;
	p->last_step = s->last_step;
	p->boundaries = (int64_t)s->boundaries;
	p->waited_seconds = (int64_t)s->waited_seconds;
	p->windows = (int64_t)s->windows;
	p->kept = (int64_t)s->kept;
	p->entered = (int64_t)s->entered;
	p->dropped = (int64_t)s->dropped;
	p->no_ring = (int64_t)s->no_ring;
	p->unselected = (int64_t)s->unselected;
	p->untimed = (int64_t)s->untimed;
	p->queue_waits = (int64_t)s->queue_waits;
	p->queue_wait_ns = (int64_t)s->queue_wait_ns;
	p->files = (int64_t)s->files;
	p->bytes = (int64_t)s->bytes;
#define LIMIT(key) p->key = (int64_t)s->beyond[LIMIT_##key];
	SESSION_LIMITS(LIMIT)
#undef LIMIT
	collect_unrecorded(p, s);
	collect_heard(p, s);
	key_values_free(&facts);
}

void collect_counts(struct run_process *p, const struct recovered *found)
{
	if ((int64_t)found->entered > p->entered)
		p->entered = (int64_t)found->entered;
	if ((int64_t)found->dropped > p->dropped)
		p->dropped = (int64_t)found->dropped;
	p->unselected += (int64_t)found->waited;
	if (found->waited)
		snprintf(p->cause, sizeof(p->cause), "%s", session_cause_word(CAUSE_NO_RANK));
}

void collect_call(struct run_process *p, const struct recovered *found)
{
	if (found->call_count)
		snprintf(p->in_call, sizeof(p->in_call), "%s (thread %u)", found->calls[0].hook, found->calls[0].tid);
}

/* 0, a negative errno, or 1: somebody else is at it. But for 0 something is left that a later try may save. */
static int recover(const struct session_entry *e, struct recovered *result)
{
	int err;

	*result = (struct recovered){ 0 };
	if (e->status->state == SESSION_ENDED)
		return 0;
	err = recover_session(e->path, result);
	return err < 0 ? err : result->live || result->busy;
}

static bool recover_ours(const struct session_entry *e, struct recovered *result)
{
	const char *ended = session_has_left(e) ? RECOVERED_LEFT : "was killed";
	int err = recover(e, result);

	if (err < 0)
		fprintf(stderr, "ranktrace: process %u of %s %s and its buffers cannot be "
				"recovered now: %s; try later: ranktrace recover %s\n",
			e->status->pid, e->status->host, ended,
			strerror(-err), e->path);
	if (!err && result->gone)
		fprintf(stderr, "ranktrace: process %u of %s %s: %" PRIu64 " calls " RECOVERED_GONE "\n", e->status->pid,
			e->status->host, ended, result->gone);
	return !err;
}

static void note_death(struct run_process *p, const struct run *r, const struct recovered *result)
{
	for (unsigned int i = 0; i < r->child_count; i++)
		if (r->children[i].pid == p->pid)
			p->signal = WIFSIGNALED(r->children[i].status) ? WTERMSIG(r->children[i].status) : 0;
	collect_call(p, result);
}

static void collect_ours(struct run *r, const struct session_entry *e)
{
	struct recovered result = { 0 }, left = { 0 };
	struct run_process *p;
	bool over = session_is_over(e), saved;

	if (e->status->state == SESSION_LISTENS) {
		if (over)
			session_delete(e->path);
		return;
	}
	saved = over && recover_ours(e, &result);
	if (!over)
		recover_inspect(e, &result);
	else if (!saved)
		recover_inspect(e, &left);
	p = run_add(r);
	collect_status(p, e);
	note_death(p, r, &result);
	p->recovered = (int64_t)result.events;
	p->lost_buffers = (int64_t)result.lost_buffers;
	p->kept += (int64_t)result.events;
	p->waiting = (int64_t)left.events;
	collect_counts(p, &result);
	if (result.file[0]) {
		memcpy(p->file, result.file, sizeof(p->file));
		p->files += !p->files;
	}
	recovered_free(&result);
	recovered_free(&left);
	if (saved)
		session_delete(e->path);
	if (!over)
		fprintf(stderr, "ranktrace: process %u of %s is still running and traced: see "
				"ranktrace check --pid %u\n",
			e->status->pid,
			e->status->host, e->status->pid);
}

/* What a launcher that is gone could not clear away. Returns whether it cannot be saved now either. */
static bool collect_left_over(const struct session_entry *e)
{
	struct recovered result;
	int err;

	if (!session_is_over(e) || launcher_is_alive(e->status->launch))
		return false;
	err = recover(e, &result);
	recovered_free(&result);
	if (err)
		return err < 0;
	if (result.events)
		fprintf(stderr, "ranktrace: recovered %" PRIu64 " event%s of an earlier run in %s\n",
			(uint64_t)result.events, result.events == 1 ? "" : "s", result.file);
	session_delete(e->path);
	launcher_delete(e->status->launch);
	return false;
}

/* One line however many: they are not what this run is about. */
static void say_left_over(unsigned int count)
{
	if (count)
		fprintf(stderr, "ranktrace: buffers of %u ended process%s of earlier runs cannot be recovered: "
				"ranktrace recover says why\n",
			count, count == 1 ? "" : "es");
}

static int by_rank(const void *a, const void *b)
{
	return run_order(a, b);
}

static void say_foreign(const struct sessions *s)
{
	unsigned int dead = 0;

	for (size_t i = 0; i < s->foreign_count; i++)
		dead += !s->foreign[i].alive;
	if (dead)
		fprintf(stderr, "ranktrace: buffers of %u process%s traced by another release of ranktrace are left: run that release's "
				"ranktrace recover\n",
			dead, dead == 1 ? "" : "es");
}

void collect(struct run *r, const char *folder)
{
	unsigned int left_over = 0;
	struct sessions s;

	sessions_read(&s);
	for (size_t i = 0; i < s.count; i++) {
		if (!strcmp(s.list[i].status->launch, r->launch) && r->launch[0])
			collect_ours(r, &s.list[i]);
		else
			left_over += collect_left_over(&s.list[i]);
	}
	say_left_over(left_over);
	say_foreign(&s);
	sessions_free(&s);
	launcher_sweep();
	if (!r->count && r->loads) /* tmpfs was full, or somebody cleared it: the files themselves may tell */
		collect_traces(r, folder, r->launch);
	if (r->count)
		qsort(r->processes, r->count, sizeof(*r->processes), by_rank);
}
