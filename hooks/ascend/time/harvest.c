#include "hooks/ascend/time/harvest.h"
#include "agent/os/slow_path.h"
#include "agent/record/doorbell.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "hooks/ascend/time/event_pairs.h"
#include "hooks/ascend/time/mspti.h"
#include "hooks/ascend/time/other_profilers.h"
#include "hooks/ascend/time/streams.h"
#include "hooks/ascend/tracking/capture.h"
#include "hooks/capture/devices.h"

#define US 1000u

struct timings harvest_waiting = { .busy = ATOMIC_FLAG_INIT };

/* What is read of a stream's times comes in its order: [1] operators and collectives, [0] what may be inside of them. */
static uint64_t read_until[STREAMS][2];

/* ---- reading ---- */

/* Of the one who reads: what a look at one call tells of the next in its stream. */
#define SEEN 16
static struct seen {
	uint16_t stream;
	enum { ALL_DONE, /* its newest work is, and so is all before it */
	       ONE_BY_ONE,
	       LATE } state;
} seen[SEEN];
static unsigned int seen_count;
static struct pairs_pool *reading; /* calls of other contexts are left to threads of theirs */

static uint32_t newest_pair(const struct timing *t)
{
	uint32_t pair = t->number, more;

	for (more = t->next; more; more = timing_at(more)->next)
		if (timing_at(more)->stream == t->stream && pairs_pool_of(timing_at(more)->number) == reading)
			pair = timing_at(more)->number;
	return pair;
}

/* NULL: there are too many streams. */
static struct seen *look_at_stream(const struct timing *t)
{
	struct seen *s;

	for (s = seen; s < seen + seen_count; s++)
		if (s->stream == t->stream)
			return s;
	if (seen_count == SEEN)
		return NULL;
	seen_count++;
	*s = (struct seen){ t->stream, pairs_done(newest_pair(t)) == 1 ? ALL_DONE : ONE_BY_ONE };
	return s;
}

/* 1: its work is done; 0: it is not; negative: nobody can tell. */
static int is_done(const struct timing *t)
{
	struct seen *s = look_at_stream(t);
	int done;

	if (s && s->state != ONE_BY_ONE)
		return s->state == ALL_DONE;
	done = pairs_done(t->number);
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

static bool read_times(const struct timing *t, struct pairs_pool *pool)
{
	uint64_t begin, duration, now = clock_ticks();

	if (!pairs_read(t->number, &begin, &duration))
		return false;
	device_times_clock(pool->device, begin, t->begin, now);
	return timing_write(t, t->stream, not_before(&read_until[t->stream][t->outer], begin, duration), duration);
}

/* 1: msPTI has told, and it is written; negative: it has not by now, and will not; 0: it is about to. */
static int told_by_mspti(const struct timing *t)
{
	int answer = t->told ? mspti_answer(t->told) : -1;

	if (!answer && mspti_leave(t->told))
		answer = -1;
	if (answer && t->told)
		mspti_drop(t->told);
	return answer;
}

/* What two threads gave to one stream at once may have changed places: its newest work was done, and this is not. */
static bool is_early(struct timing *t)
{
	if (pairs_done(t->number))
		return false;
	t->told = 0;
	return true;
}

static bool collect(struct timing *t)
{
	struct pairs_pool *pool = pairs_pool_of(t->number);
	int done, told;

	if (pool && pool != reading)
		return false;
	done = pool ? is_done(t) : -1;
	told = done ? told_by_mspti(t) : 0;
	if (!told)
		return false;
	if (told < 0 && (done < 0 || !read_times(t, pool))) {
		if (done > 0 && is_early(t))
			return false;
		device_times_missed();
	}
	pairs_give(t->number);
	return true;
}

/* ---- the clock ---- */

/* When a window begins and when it has ended, and once a second in between. */
static bool is_due(const struct pairs_pool *pool)
{
	return pool->window != atomic_load(&session->windows) || !((uint32_t)gate_load() & GATE_WINDOW) ||
	       clock_ticks() - pool->calibrated > clock_hz();
}

static void look_at_clock(struct pairs_pool *pool, aclrtStream stream)
{
	struct handle_slot *s;

	if (stream == NO_STREAM || !is_due(pool))
		return;
	pool->calibrated = clock_ticks();
	pool->window = atomic_load(&session->windows);
	s = streams_known(stream);
	if (s && streams_is_free(s, pool, stream))
		pairs_calibrate(pool, stream);
}

/* ---- harvest ---- */

static bool nothing_waits(void)
{
	return !((uint32_t)gate_load() & GATE_WINDOW) && atomic_load(&doorbell.pending) <= 0;
}

static void harvest(struct pairs_pool *pool, aclrtStream stream)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;

	if (atomic_flag_test_and_set(&busy))
		return;
	look_at_clock(pool, stream);
	reading = pool;
	seen_count = 0;
	device_times_harvest(&harvest_waiting, collect);
	if (nothing_waits())
		pairs_put_away(pool);
	atomic_flag_clear(&busy);
}

void harvest_times(aclrtStream stream)
{
	struct slow_path guard;
	struct pairs_pool *pool;

	if (!doorbell_awaits_times() || capture_any() || producer.inside & INSIDE_AGENT ||
	    other_profilers_run(OTHER_PROFILER | OTHER_PROFILING))
		return;
	guard = slow_path_begin();
	mspti_harvest();
	pool = pools_here();
	if (pool)
		harvest(pool, stream);
	slow_path_end(guard);
}

/* ---- ends ---- */

void harvest_stream_ends(aclrtStream stream)
{
	if (settings.contents & CONTENT_DEVICE && streams_known(stream))
		harvest_times(NO_STREAM);
}

static void end_pools(bool (*ends)(const struct pairs_pool *, uint64_t), uint64_t what)
{
	struct slow_path guard;

	if (!(settings.contents & CONTENT_DEVICE) || !pools_count())
		return;
	harvest_times(NO_STREAM);
	guard = slow_path_begin();
	pairs_end(ends, what);
	slow_path_end(guard);
}

static bool is_of_context(const struct pairs_pool *pool, uint64_t context)
{
	return (uintptr_t)atomic_load(&pool->context) == context;
}

void harvest_context_ends(aclrtContext context)
{
	end_pools(is_of_context, (uintptr_t)context);
}

static bool is_on_device(const struct pairs_pool *pool, uint64_t number)
{
	return pool->device == device_known(number + 1);
}

void harvest_device_ends(int32_t number)
{
	end_pools(is_on_device, (uint64_t)number);
}

/* ---- others who measure ---- */

/* What is done by now is still ours. */
static void make_way(void)
{
	struct slow_path guard;

	harvest_times(NO_STREAM);
	guard = slow_path_begin();
	mspti_stop();
	slow_path_end(guard);
}

void harvest_started(void)
{
	other_profilers_make_way = make_way;
}
