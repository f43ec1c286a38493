#include "hooks/capture/pairs/harvest.h"
#include "agent/record/doorbell.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "hooks/capture/pairs/vendor_times.h"
#include "hooks/capture/streams/captures.h"

#define US 1000u

/* ---- reading ---- */

static uint32_t newest_pair(struct vendor_times *of, const struct timing *t)
{
	uint32_t pair = t->number, more;

	for (more = t->next; more; more = timing_at(more)->next)
		if (timing_at(more)->stream == t->stream && pairs_pool_of(of, timing_at(more)->number) == of->harvest.reading)
			pair = timing_at(more)->number;
	return pair;
}

/* NULL: there are too many streams. */
static struct seen *look_at_stream(struct vendor_times *of, const struct timing *t)
{
	struct seen *s;

	for (s = of->harvest.seen; s < of->harvest.seen + of->harvest.seen_count; s++)
		if (s->stream == t->stream)
			return s;
	if (of->harvest.seen_count == SEEN)
		return NULL;
	of->harvest.seen_count++;
	*s = (struct seen){ t->stream, pairs_done(of, newest_pair(of, t)) == 1 ? ALL_DONE : ONE_BY_ONE };
	return s;
}

/* 1: its work is done; 0: it is not; negative: nobody can tell. */
static int is_done(struct vendor_times *of, const struct timing *t)
{
	struct seen *s = look_at_stream(of, t);
	int done;

	if (s && s->state != ONE_BY_ONE)
		return s->state == ALL_DONE;
	done = pairs_done(of, t->number);
	if (s && !done)
		s->state = LATE;
	return done;
}

/* Time stamps are whole microseconds, rounded down: no work began before what was in front of it had ended. */
static uint64_t not_before(uint64_t *until, uint64_t begin, uint64_t duration)
{
	if (*until > begin && *until / US == begin / US)
		begin = *until;
	*until = begin + duration;
	return begin;
}

static bool read_times(struct vendor_times *of, const struct timing *t, struct pairs_pool *pool)
{
	uint64_t begin, duration, now = clock_ticks();

	if (!pairs_read(of, t->number, &begin, &duration))
		return false;
	device_times_clock(pool->device, begin, t->begin, now);
	return timing_write(t, t->stream, not_before(&of->harvest.read_until[t->stream][t->outer], begin, duration), duration);
}

/* 1: somebody else has told, and it is written; negative: it has not by now, and will not; 0: it is about to. */
static int told_by_others(struct vendor_times *of, const struct timing *t)
{
	int answer = t->told ? record_calls_answer(of->tool, t->told) : -1;

	if (!answer && record_calls_unkeep(of->tool, t->told))
		answer = -1;
	if (answer && t->told)
		record_calls_drop(of->tool, t->told);
	return answer;
}

/* What two threads gave to one stream at once may have changed places: its newest work was done, and this is not. */
static bool is_early(struct vendor_times *of, struct timing *t)
{
	if (pairs_done(of, t->number))
		return false;
	t->told = 0;
	return true;
}

static bool collect(struct timing *t)
{
	struct vendor_times *of = t->provider;
	struct pairs_pool *pool = pairs_pool_of(of, t->number);
	int done, told;

	if (pool && pool != of->harvest.reading)
		return false;
	done = pool ? is_done(of, t) : -1;
	told = done ? told_by_others(of, t) : 0;
	if (!told)
		return false;
	if (told < 0 && (done < 0 || !read_times(of, t, pool))) {
		if (done > 0 && is_early(of, t))
			return false;
		device_times_missed();
	}
	pairs_give(of, t->number);
	return true;
}

/* ---- the clock ---- */

/* When a window begins and when it has ended, and once a second in between. */
static bool is_due(const struct pairs_pool *pool)
{
	return pool->window != atomic_load(&session->windows) || !((uint32_t)gate_load() & GATE_WINDOW) ||
	       clock_passed(clock_ticks() - pool->calibrated) > clock_hz();
}

static void look_at_clock(struct vendor_times *of, struct pairs_pool *pool, void *stream)
{
	struct handle_slot *s;

	if (stream == NO_STREAM || !is_due(pool))
		return;
	pool->calibrated = clock_ticks();
	pool->window = atomic_load(&session->windows);
	s = timed_streams_known(of, stream);
	if (s && timed_streams_is_free(of, s, pool, stream))
		pairs_calibrate(of, pool, stream);
}

/* ---- harvest ---- */

static bool nothing_waits(void)
{
	return !((uint32_t)gate_load() & GATE_WINDOW) && atomic_load(&doorbell.pending) <= 0;
}

static void harvest(struct vendor_times *of, struct pairs_pool *pool, void *stream)
{
	if (atomic_flag_test_and_set(&of->harvest.busy))
		return;
	look_at_clock(of, pool, stream);
	of->harvest.reading = pool;
	of->harvest.seen_count = 0;
	device_times_harvest(&of->harvest.waiting, collect);
	if (nothing_waits())
		pairs_put_away(of, pool);
	atomic_flag_clear(&of->harvest.busy);
}

void harvest_times(struct vendor_times *of, void *stream)
{
	struct visit visit;
	struct pairs_pool *pool;

	if (!doorbell_awaits_times() || captures_any(of->streams) || producer.inside & INSIDE_AGENT || pools_aside(of))
		return;
	visit = visit_begin_asking(of->calls);
	if (of->tool)
		record_tool_harvest(of->tool);
	pool = pools_here(of);
	if (pool)
		harvest(of, pool, stream);
	visit_end(of->calls, visit);
}

/* ---- ends ---- */

void harvest_stream_ends(struct vendor_times *of, void *stream)
{
	if (settings.contents & CONTENT_DEVICE && timed_streams_known(of, stream))
		harvest_times(of, NO_STREAM);
}

static void end_pools(struct vendor_times *of, bool (*ends)(const struct pairs_pool *, uint64_t), uint64_t what)
{
	struct visit visit;

	if (!(settings.contents & CONTENT_DEVICE) || !pools_any(of))
		return;
	harvest_times(of, NO_STREAM);
	visit = visit_begin_asking(of->calls);
	pairs_end(of, ends, what, contexts_here(of->streams));
	visit_end(of->calls, visit);
}

static bool is_of_context(const struct pairs_pool *pool, uint64_t context)
{
	return (uintptr_t)atomic_load(&pool->context) == context;
}

void harvest_context_ends(struct vendor_times *of, const void *context)
{
	end_pools(of, is_of_context, (uintptr_t)context);
}

void harvest_context_gone(struct vendor_times *of, const void *context)
{
	pairs_end(of, is_of_context, (uintptr_t)context, NULL);
}

static bool is_on_device(const struct pairs_pool *pool, uint64_t device)
{
	return pool->device == device;
}

void harvest_device_ends(struct vendor_times *of, int32_t number)
{
	end_pools(of, is_on_device, contexts_device_known(of->streams, number));
}
