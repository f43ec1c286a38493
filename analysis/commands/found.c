#include "analysis/commands/found.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/check/closing_lines.h"
#include "analysis/run/launcher_lock.h"
#include "analysis/session/recover.h"

struct unwritten { /* what is in memory and in no file */
	unsigned int running, ended;
	uint64_t events; /* of the ended */
	bool guarded;
	char save_path[1024]; /* of one of the ended */
};

static void look(struct unwritten *u, const struct session_entry *e)
{
	struct recovered found;

	if (e->status->state == SESSION_ENDED)
		return;
	if (!session_is_over(e)) {
		u->running++;
		return;
	}
	if (!recover_inspect(e, &found) && found.events) {
		u->ended++;
		u->events += found.events;
		u->guarded |= launcher_is_alive(e->status->launch);
		snprintf(u->save_path, sizeof(u->save_path), "%s", e->status->save_path);
	}
	recovered_free(&found);
}

static void look_for(struct unwritten *u, const struct trace *t, const struct choice *c)
{
	struct sessions all;

	sessions_read(&all);
	for (size_t i = 0; i < t->count; i++) {
		const struct process *p = &t->processes[i];

		const struct session_entry *e = sessions_of_file(&all, p->file_id);

		if (e && choice_has_rank(c, p->has_rank, p->rank))
			look(u, e);
	}
	sessions_free(&all);
}

static void say(const struct unwritten *u, uint64_t events)
{
	if (u->ended)
		fprintf(stderr, "ranktrace: %" PRIu64 " event%s of %u ended process%s still in memory: %s%s%s\n", u->events,
			u->events == 1 ? "" : "s", u->ended, u->ended == 1 ? " are" : "es are",
			u->guarded ? "ranktrace-run will collect them when the job ends" : "run `ranktrace recover ",
			u->guarded ? "" : u->save_path, u->guarded ? "" : "`, then this again");
	else if (!events && u->running)
		closing_lines_wait("no event is in these files", u->running);
	else if (!events)
		fputs("ranktrace: these files hold no event: `ranktrace check` of their folder says why\n", stderr);
}

bool found_all(struct trace *t, const struct choice *c, size_t ranks, uint64_t events)
{
	struct unwritten u = { 0 };

	if (!t->count)
		return true; /* said where it was opened */
	if (!ranks) {
		choice_no_rank(c, t);
		return false;
	}
	look_for(&u, t, c);
	if (!events && c->roles && !u.ended && !u.running)
		choice_no_role(c, t);
	else if (!events && !c->steps.all && !u.ended && !u.running)
		choice_look_for_steps(c, t);
	else
		say(&u, events);
	return events && !u.ended;
}

static void count_call(void *context, const struct trace_event *ev)
{
	(void)ev;
	++*(uint64_t *)context;
}

static bool has_calls(struct trace *t, const struct choice *c)
{
	uint64_t calls = 0;
	const struct visitor v = { .event = count_call, .context = &calls };

	for (size_t i = 0; i < t->count && !calls; i++) {
		struct process *p = &t->processes[i];

		if (!process_load(p) && choice_has_process(c, p))
			process_events(p, &v);
		process_unload(p);
	}
	return calls > 0;
}

bool found_steps(struct trace *t, const struct choice *c, size_t ranks, uint64_t steps)
{
	if (steps || !ranks || !c->steps.all || !has_calls(t, c))
		return found_all(t, c, ranks, steps);
	fputs("ranktrace: no call of these is in a step: `ranktrace report` says which step source to name\n", stderr);
	return false;
}
