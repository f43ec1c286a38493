#include "analysis/report/live_session.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/run/launcher_lock.h"
#include "analysis/session/recover.h"

/* Calls that no file has: of a running process those under way are among them. It may have files that we were not given. */
static uint64_t count_in_memory(const struct report *r, const struct session_status *st, const struct recovered *found)
{
	uint64_t elsewhere = found->dropped + (st->kept > r->kept ? st->kept : r->kept);

	if (!r->runs)
		return found->events;
	return found->entered > elsewhere ? found->entered - elsewhere : 0;
}

static void set_waited(struct report *r, const struct session_status *st)
{
	char seconds[32];

	if (!st->step_source[0] || !st->waited_for[0])
		return;
	snprintf(seconds, sizeof(seconds), "%" PRIu64, st->waited_seconds);
	key_values_set(&r->facts, "waited_for", st->waited_for);
	key_values_set(&r->facts, "waited_seconds", seconds);
}

void live_session_add(struct report *r, uint64_t file_id, const struct sessions *all)
{
	const struct session_entry *e = sessions_of_file(all, file_id);
	struct recovered found;

	if (!e || e->status->state == SESSION_ENDED)
		return;
	r->runs = !session_is_over(e);
	r->has_session = true;
	r->left = session_has_left(e);
	r->guarded = launcher_is_alive(e->status->launch);
	if (e->status->step_source[0])
		key_values_set(&r->facts, "step_source", e->status->step_source);
	set_waited(r, e->status);
	if (!recover_inspect(e, &found))
		r->in_memory = count_in_memory(r, e->status, &found);
	recovered_free(&found);
}
