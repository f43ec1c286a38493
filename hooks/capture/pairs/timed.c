#include "hooks/capture/pairs/timed.h"
#include "hooks/capture/pairs/vendor_times.h"
#include "hooks/capture/streams/captures.h"

#define REFUSALS 8 /* so often in a row a stream takes no event: it is left alone for this step */
#define PATIENCE 64

/* ---- around a call ---- */

/* Where there are none left some work may be done by now: that is looked after now and then. */
static uint32_t take_pair(struct vendor_times *of, struct pairs_pool *pool)
{
	uint32_t pair = pairs_take(of, pool);

	if (pair || atomic_fetch_add(&of->misses, 1) % PATIENCE)
		return pair;
	harvest_times(of, NO_STREAM);
	return pairs_take(of, pool);
}

static uint32_t begin(struct vendor_times *of, struct handle_slot *s, void *stream, struct pairs_pool *pool)
{
	_Atomic uint8_t *refused = timed_streams_refusals(of, s);
	uint32_t pair = atomic_load(refused) < REFUSALS ? take_pair(of, pool) : 0;

	if (!pair)
		return 0;
	if (pairs_record_first(of, pair, stream)) {
		atomic_store(refused, 0);
		return pair;
	}
	atomic_fetch_add(refused, 1);
	pairs_give(of, pair);
	return 0;
}

uint32_t timed_first(struct vendor_times *of, void *stream)
{
	struct visit visit = visit_begin(of->calls);
	struct handle_slot *s = timed_streams_to_time(of, stream);
	struct pairs_pool *pool = s ? timed_streams_pool(of, s, stream) : NULL;
	uint32_t pair = pool && timed_streams_is_free(of, s, pool, stream) ? begin(of, s, stream, pool) : 0;

	visit_end(of->calls, visit);
	return pair;
}

static enum record_work work_of(unsigned int what)
{
	if (what & TIME_KERNELS)
		return what & TIME_OUTER ? RECORD_OPERATOR : RECORD_LAUNCH;
	if (what == TIME_COLLECTIVE)
		return RECORD_COLLECTIVE;
	return what == TIME_COPY ? RECORD_COPY : RECORD_OTHER;
}

/* Where a capture may keep what another thread gives meanwhile, kernels cannot be told apart. */
static void begin_told(struct vendor_times *of, struct timed *own)
{
	enum record_work work;

	if (!of->tool || !own->what)
		return;
	work = work_of(own->what);
	own->inside = work & of->tool->asked && !captures_any(of->streams) && record_tool_ready(of->tool);
	if (own->inside)
		own->told = record_tool_begin(of->tool, work);
}

static bool begin_timing(struct vendor_times *of, void *stream, struct timed *own)
{
	struct handle_slot *s = timed_streams_to_time(of, stream);
	struct pairs_pool *pool = s ? timed_streams_pool(of, s, stream) : NULL;

	if (pool && !timed_streams_is_free(of, s, pool, stream))
		return false; /* kept by a capture: it has no time, and none is missed */
	if (!pool)
		return true;
	begin_told(of, own);
	if (!own->told || !(own->what & TIME_TOLD_ALONE))
		own->pair = begin(of, s, stream, pool);
	return true;
}

bool timed_begin(struct vendor_times *of, void *stream, struct timed *own)
{
	struct visit visit;
	bool timed;

	own->stream = stream;
	if (pools_aside(of))
		return true;
	visit = visit_begin(of->calls);
	timed = begin_timing(of, stream, own);
	visit_end(of->calls, visit);
	return timed;
}

void timed_end(struct vendor_times *of, struct timed *own)
{
	struct visit visit = visit_begin(of->calls);

	if (own->inside)
		record_tool_end(of->tool, own->told);
	else if (of->tool && of->tool->ahead)
		record_tool_passed(of->tool);
	own->inside = false;
	if (own->pair && !pairs_record_last(of, own->pair, own->stream)) {
		pairs_give(of, own->pair);
		own->pair = 0;
	}
	visit_end(of->calls, visit);
}

/* By events, and it may be told by the tool meanwhile. */
static void keep_pair(struct vendor_times *of, const struct call *c, const struct timed *own, uint32_t number)
{
	struct timing *t = timing_at(number);

	t->provider = of;
	t->number = own->pair;
	t->outer = own->what & TIME_OUTER;
	t->what = own->stream;
	timing_note(t, c);
	t->told = own->told && record_tool_share(of->tool, own->told, number) ? own->told : 0;
	timing_push(&of->harvest.waiting, number);
	if (timing_crowded())
		harvest_times(of, NO_STREAM);
}

static void give_up(struct vendor_times *of, const struct timed *own)
{
	if (own->pair)
		pairs_give(of, own->pair);
	if (own->told)
		record_calls_drop(of->tool, own->told);
}

static void keep(struct vendor_times *of, const struct call *c, const struct timed *own)
{
	uint32_t number = c->recording && own->pair ? device_times_take() : 0;

	if (number) {
		keep_pair(of, c, own, number);
	} else if (c->recording && own->told && !own->pair) {
		record_tool_keep(of->tool, own->told, c, own->stream);
	} else {
		device_times_missed();
		give_up(of, own);
	}
}

void timed_keep(struct vendor_times *of, const struct call *c, const struct timed *own, bool ok)
{
	struct visit visit;

	if (LIKELY(ok)) { /* the vendor is not called, but to harvest */
		keep(of, c, own);
		return;
	}
	if (own->inside) { /* else nothing is asked: the program is about to look at what went wrong */
		visit = visit_begin(of->calls);
		record_tool_end(of->tool, own->told);
		visit_end(of->calls, visit);
	}
	give_up(of, own);
}

/* ---- of calls that may be timed ---- */

void timed_want(struct vendor_times *of, struct call *c, void *stream, struct timed *own, unsigned int what)
{
	struct timed t = { .what = what & ~(unsigned int)TIME_ALWAYS };
	bool timed;

	if (c->nested)
		return;
	timed = stream != NO_STREAM && timed_begin(of, stream, &t);
	if (of->tool && of->tool->ahead && !t.inside)
		record_tool_pass(of->tool);
	if (!timed)
		return;
	*own = t;
	c->timed = true;
	c->event.begin = clock_ticks(); /* what we did is not the call's */
}

void timed_called(struct vendor_times *of, const struct call *c, struct timed *own)
{
	if (c->timed)
		timed_end(of, own);
}

void timed_recorded(struct vendor_times *of, const struct call *c, const struct timed *own, bool ok)
{
	struct call copy;

	if (LIKELY(!c->timed))
		return;
	copy = *c;
	timed_keep(of, &copy, own, ok);
}
