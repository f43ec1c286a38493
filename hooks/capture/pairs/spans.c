#include "hooks/capture/pairs/spans.h"
#include "hooks/capture/pairs/vendor_times.h"

enum { IS_FREE,
       IS_TAKEN, /* by one thread, which alone may look at it */
       IS_OPEN };

/* In another session nothing of this one is ours. */
static uint64_t window_now(void)
{
	return (uint64_t)session_generation << 48 | atomic_load(&session->windows);
}

static struct open_span *take(struct open_span *s, int from)
{
	int state = from;

	return atomic_compare_exchange_strong(&s->state, &state, IS_TAKEN) ? s : NULL;
}

static void give_up(struct vendor_times *of, struct open_span *s)
{
	pairs_give(of, timing_at(s->timing)->number);
	device_times_give(s->timing);
	device_times_missed();
}

/* A forked child has none of its parent's events. */
static void give_up_old(struct vendor_times *of, struct open_span *s)
{
	if (atomic_load(&s->window) >> 48 == session_generation)
		give_up(of, s);
}

static struct open_span *find_place(struct vendor_times *of, uint64_t window)
{
	struct open_span *s;

	for (unsigned int i = 0; i < SPANS; i++) {
		s = take(&of->spans.open[i], IS_FREE);
		if (s)
			return s;
		if (atomic_load(&of->spans.open[i].window) == window || !take(&of->spans.open[i], IS_OPEN))
			continue;
		give_up_old(of, &of->spans.open[i]);
		return &of->spans.open[i];
	}
	return NULL;
}

uint32_t spans_begin(struct vendor_times *of, void *stream)
{
	return pools_aside(of) ? 0 : timed_first(of, stream);
}

static bool keep(struct vendor_times *of, const struct call *c, uint32_t pair, void *stream, uint64_t number)
{
	uint64_t window = window_now();
	struct open_span *s = number && c->recording ? find_place(of, window) : NULL;
	struct timing *t;

	if (!s)
		return false;
	s->timing = device_times_take();
	if (!s->timing) {
		atomic_store(&s->state, IS_FREE);
		return false;
	}
	t = timing_at(s->timing);
	t->provider = of;
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

void spans_keep(struct vendor_times *of, const struct call *c, uint32_t pair, void *stream, uint64_t number)
{
	if (keep(of, c, pair, stream, number))
		return;
	pairs_give(of, pair);
	device_times_missed();
}

/* The stream may have ended, or be captured by now. */
static bool record_last(struct vendor_times *of, const struct timing *t)
{
	struct visit visit = visit_begin(of->calls);
	struct handle_slot *s = timed_streams_known(of, t->what);
	struct pairs_pool *pool = pairs_pool_of(of, t->number);
	bool done = s && pool && timed_streams_is_free(of, s, pool, t->what) && pairs_record_last(of, t->number, t->what);

	visit_end(of->calls, visit);
	return done;
}

static void end(struct vendor_times *of, struct open_span *s)
{
	if (record_last(of, timing_at(s->timing)))
		timing_push(&of->harvest.waiting, s->timing);
	else
		give_up(of, s);
	atomic_store(&s->state, IS_FREE);
	if (timing_crowded())
		harvest_times(of, NO_STREAM);
}

void spans_end(struct vendor_times *of, uint64_t number)
{
	uint64_t window = window_now();

	for (struct open_span *s = of->spans.open; s < of->spans.open + SPANS; s++)
		if (atomic_load(&s->number) == number && atomic_load(&s->window) == window && take(s, IS_OPEN)) {
			end(of, s);
			return;
		}
}
