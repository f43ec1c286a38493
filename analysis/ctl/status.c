#include "analysis/ctl/status.h"

#include <inttypes.h>
#include <string.h>

#include "agent/format/causes.h"
#include "agent/format/trace_file.h"
#include "analysis/check/calls_now.h"

static void say_place(const struct session_status *s)
{
	if (s->last_step == STEP_NULL)
		fputs("no step so far", stdout);
	else
		printf("step %" PRId64 " (%s)", (int64_t)s->last_step, s->step_source[0] ? s->step_source : "no source");
	if (s->stage_now && s->stage_now <= STAGES_HEARD)
		printf(", in stage %s", s->stages[s->stage_now - 1].role);
	if (s->minis || s->micros)
		printf(", %" PRIu64 " mini- and %" PRIu64 " micro-batches", (uint64_t)s->minis, (uint64_t)s->micros);
}

static void say_asked(const struct session_status *s)
{
	bool ahead = s->asked_first != STEP_NULL && (s->last_step == STEP_NULL || s->last_step < s->asked_first);

	if (s->asked != s->looked_at)
		fputs("; asked, and not at a boundary since", stdout);
	else if (ahead)
		printf("; will record from step %" PRId64, (int64_t)s->asked_first);
}

static void say_window(const struct session_status *s)
{
	const char *file = strrchr(s->file, '/');

	if (s->state == SESSION_RECORDING)
		printf("; recording%s%s", file ? " into " : "", file ? file + 1 : "");
	else
		fputs("; recording nothing", stdout);
	if (s->cause)
		printf(" (%s)", session_cause_word(s->cause));
	if (!s->on_demand)
		fputs(" (no on_demand)", stdout);
	say_asked(s);
}

/* In files, and in memory: of those that were entered all but the dropped ones, and those that are under way. */
static uint64_t kept_by(const struct recovered *found)
{
	uint64_t others = found->dropped + found->call_count;

	return found->entered > others ? found->entered - others : 0;
}

static void say_one(const struct session_entry *e)
{
	struct recovered found;
	int err = recover_inspect(e, &found);

	asked_say_who(stdout, e->status);
	say_place(e->status);
	say_window(e->status);
	if (err)
		printf("; its calls cannot be counted: %s\n", strerror(-err));
	else
		printf("; %" PRIu64 " calls kept, %" PRIu64 " dropped\n", kept_by(&found), found.dropped);
	if (err)
		return;
	calls_now_say(e, &found, "  ");
	recovered_free(&found);
}

bool asked_status(struct asked *c)
{
	if (!asked_found_any(c))
		return false;
	for (size_t i = 0; i < c->count; i++)
		say_one(c->list[i]);
	return true;
}
