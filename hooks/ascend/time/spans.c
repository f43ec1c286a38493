#include "hooks/ascend/time/spans.h"
#include "agent/os/slow_path.h"
#include "hooks/ascend/time/event_pairs.h"
#include "hooks/ascend/time/harvest.h"
#include "hooks/ascend/time/other_profilers.h"
#include "hooks/ascend/time/streams.h"
#include "hooks/ascend/time/time.h"

#define SPANS 64 /* at most so many are open at once */

enum { IS_FREE,
       IS_TAKEN, /* by one thread, which alone may look at it */
       IS_OPEN };

/* One that has begun. What a window left open is given up by whoever wants its place. */
static struct span {
	_Atomic int state;
	_Atomic uint64_t number, window;
	uint32_t timing; /* timing_at() */
} spans[SPANS];

/* In another session nothing of this one is ours. */
static uint64_t window_now(void)
{
	return (uint64_t)session_generation << 48 | atomic_load(&session->windows);
}

static struct span *take(struct span *s, int from)
{
	int state = from;

	return atomic_compare_exchange_strong(&s->state, &state, IS_TAKEN) ? s : NULL;
}

static void give_up(struct span *s)
{
	pairs_give(timing_at(s->timing)->number);
	device_times_give(s->timing);
	device_times_missed();
}

/* A forked child has none of its parent's events. */
static void give_up_old(struct span *s)
{
	if (atomic_load(&s->window) >> 48 == session_generation)
		give_up(s);
}

static struct span *find_place(uint64_t window)
{
	struct span *s;

	for (unsigned int i = 0; i < SPANS; i++) {
		s = take(&spans[i], IS_FREE);
		if (s)
			return s;
		if (atomic_load(&spans[i].window) == window || !take(&spans[i], IS_OPEN))
			continue;
		give_up_old(&spans[i]);
		return &spans[i];
	}
	return NULL;
}

uint32_t span_begin(aclrtStream stream)
{
	return other_profilers_run(OTHER_PROFILER | OTHER_PROFILING) ? 0 : ascend_time_first(stream);
}

static bool keep(const struct call *c, uint32_t pair, aclrtStream stream, uint64_t number)
{
	uint64_t window = window_now();
	struct span *s = number && c->recording ? find_place(window) : NULL;
	struct timing *t;

	if (!s)
		return false;
	s->timing = device_times_take();
	if (!s->timing) {
		atomic_store(&s->state, IS_FREE);
		return false;
	}
	t = timing_at(s->timing);
	t->number = pair;
	t->what = stream;
	t->outer = true;
	t->told = 0;
	timing_note(t, c);
	atomic_store(&s->number, number);
	atomic_store(&s->window, window);
	atomic_store(&s->state, IS_OPEN);
	return true;
}

void span_keep(const struct call *c, uint32_t pair, aclrtStream stream, uint64_t number)
{
	if (keep(c, pair, stream, number))
		return;
	pairs_give(pair);
	device_times_missed();
}

/* The stream may have ended, or be captured by now. */
static bool record_last(const struct timing *t)
{
	struct slow_path guard = slow_path_begin();
	struct handle_slot *s = streams_known(t->what);
	struct pairs_pool *pool = pairs_pool_of(t->number);
	bool done = s && pool && streams_is_free(s, pool, t->what) && pairs_record_last(t->number, t->what);

	slow_path_end(guard);
	return done;
}

static void end(struct span *s)
{
	if (record_last(timing_at(s->timing)))
		timing_push(&harvest_waiting, s->timing);
	else
		give_up(s);
	atomic_store(&s->state, IS_FREE);
	if (timing_crowded())
		harvest_times(NO_STREAM);
}

void span_end(uint64_t number)
{
	uint64_t window = window_now();

	for (struct span *s = spans; s < spans + SPANS; s++)
		if (atomic_load(&s->number) == number && atomic_load(&s->window) == window && take(s, IS_OPEN)) {
			end(s);
			return;
		}
}
