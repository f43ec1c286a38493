#include "analysis/ctl/asked.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent/format/causes.h"
#include "agent/format/trace_file.h"
#include "analysis/util/alloc.h"
#include "config/role_choice.h"

static bool has_role(const struct session_status *s, const char *role)
{
	for (unsigned int i = 0; i < STAGES_HEARD; i++)
		if (s->stages[i].role[0] && role_has_stage(role, s->stages[i].role))
			return true;
	return false;
}

/* One that only listens has made no call, and may never. */
static bool is_meant(const struct asked *c, const struct session_entry *e)
{
	if (session_is_over(e) || e->status->state == SESSION_LISTENS)
		return false;
	if (c->pid && e->status->pid != c->pid)
		return false;
	return (!c->path || session_traces_into(e, c->path)) && (!c->role || has_role(e->status, c->role));
}

static int by_rank(const void *a, const void *b)
{
	const struct session_status *s = (*(struct session_entry *const *)a)->status, *t = (*(struct session_entry *const *)b)->status;

	int group = strcmp(s->worker_group, t->worker_group);

	if (s->rank != t->rank)
		return s->rank < t->rank ? -1 : 1;
	if (group)
		return group;
	return s->pid < t->pid ? -1 : s->pid > t->pid;
}

void asked_forget(struct asked *c)
{
	free(c->list);
	sessions_free(&c->all);
}

void asked_find(struct asked *c)
{
	sessions_read(&c->all);
	c->list = alloc_zero(c->all.count + 1, sizeof(struct session_entry *));
	c->count = 0;
	for (size_t i = 0; i < c->all.count; i++)
		if (is_meant(c, &c->all.list[i]))
			c->list[c->count++] = &c->all.list[i];
	qsort(c->list, c->count, sizeof(struct session_entry *), by_rank);
}

bool asked_found_any(const struct asked *c)
{
	if (c->count)
		return true;
	if (!c->pid && !c->path && !c->role) {
		fputs("ranktrace: no traced process of yours runs here that has made a call: `ranktrace-run -- COMMAND` starts one; "
		      "in a container, or on another host, ask there\n",
		      stderr);
		return false;
	}
	fputs("ranktrace: no traced process of yours runs here", stderr);
	if (c->pid)
		fprintf(stderr, " as %u", c->pid);
	if (c->path)
		fprintf(stderr, " and traces into %s", c->path);
	if (c->role)
		fprintf(stderr, " and has entered a stage of role %s", c->role);
	fputs(": `ranktrace ctl status` lists those that do\n", stderr);
	return false;
}

/* Is there nothing of it that could ever be recorded? A file that could not be written may be now. */
static bool is_off(const struct session_status *s)
{
	switch ((uint32_t)s->cause) {
	case CAUSE_SAVE_PATH:
	case CAUSE_DISK_FULL:
	case CAUSE_MAX_SIZE:
	case CAUSE_NO_THREAD:
	case CAUSE_NO_DESCRIPTOR:
		return false;
	default:
		return session_cause_is_final(s->cause);
	}
}

bool asked_obeys(const struct session_status *s)
{
	return s->on_demand && !is_off(s);
}

bool asked_any_obeys(const struct asked *c)
{
	size_t deaf = 0;

	for (size_t i = 0; i < c->count; i++)
		if (asked_obeys(c->list[i]->status))
			return true;
		else
			deaf += !c->list[i]->status->on_demand;
	if (deaf)
		fprintf(stderr, "ranktrace: %zu %s without on_demand: start the job with --on-demand true, or RANKTRACE_ON_DEMAND=true\n", deaf,
			deaf == 1 ? "process runs" : "processes run");
	else
		fputs("ranktrace: nothing of these processes can be recorded: `ranktrace ctl status` says why\n", stderr);
	return false;
}

void asked_say_who(FILE *out, const struct session_status *s)
{
	if (s->rank >= 0)
		fprintf(out, "rank %" PRId64 "%s%s, ", (int64_t)s->rank, s->worker_group[0] ? " of " : "", s->worker_group);
	fprintf(out, "process %u on %s: ", s->pid, s->host);
}

int64_t asked_highest_step(const struct asked *c)
{
	int64_t highest = STEP_NULL;

	for (size_t i = 0; i < c->count; i++)
		if (asked_obeys(c->list[i]->status) && c->list[i]->status->last_step > highest)
			highest = c->list[i]->status->last_step;
	return highest;
}
