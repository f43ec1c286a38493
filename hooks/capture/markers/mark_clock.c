#include "hooks/capture/markers/mark_clock.h"
#include "agent/session/session.h"

#define IN_ORDER    (1ull << 32) /* in struct markers, ranges */
#define OPEN_RANGES 4096	 /* at once: a program may never end one */

/* A handle comes again, for a domain with another name. */
void mark_clock_domain(struct markers *of, const void *domain, const char *name)
{
	uint32_t heard = source_marker_domain(name);

	if (!domain || !gate_may_record())
		return;
	if (heard == source_marker_domain(NULL))
		handles_forget(handles_get(&of->heard_in, (uintptr_t)domain));
	else
		handles_put(&of->heard_in, (uintptr_t)domain, heard, 0);
}

static uint32_t who_hears(struct markers *of, const void *domain)
{
	struct handle_slot *s = domain ? handles_get(&of->heard_in, (uintptr_t)domain) : NULL;

	return s ? (uint32_t)atomic_load(&s->a) : source_marker_domain(NULL);
}

uint32_t mark_clock_heard(struct markers *of, const void *domain, const char *message)
{
	return source_marker_matches(who_hears(of, domain), message);
}

/* Is there room for one more? */
static bool open_one(struct markers *of)
{
	if (atomic_fetch_add(&of->open_ranges, 1) < OPEN_RANGES)
		return true;
	atomic_fetch_sub(&of->open_ranges, 1);
	session_beyond(LIMIT_untracked_handles, 1);
	return false;
}

/* Number 0: the vendor says that there is no such range. Nobody can tell which of them an end would be of. */
void mark_clock_range(struct markers *of, uint32_t heard, uint64_t stage, bool in_order, uint64_t number, const void *caller)
{
	if (!stage && !source_marker_wants_end(heard))
		return;
	if (number && open_one(of))
		handles_put(&of->ranges, number, heard | (in_order ? IN_ORDER : 0), stage);
	else
		source_marker_leaves(stage, in_order, caller);
}

bool mark_clock_hears_end(struct markers *of, uint64_t number)
{
	return handles_get(&of->ranges, number);
}

void mark_clock_range_ends(struct markers *of, uint64_t number, const void *caller)
{
	struct handle_slot *s = handles_get(&of->ranges, number);
	uint64_t heard, stage;

	if (!s)
		return;
	heard = atomic_load(&s->a);
	stage = atomic_load(&s->b);
	handles_forget(s);
	atomic_fetch_sub(&of->open_ranges, 1);
	source_marker_leaves(stage, heard & IN_ORDER, caller);
	source_marker_ends((uint32_t)heard, heard & IN_ORDER, caller);
}
