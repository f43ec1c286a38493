#include "hooks/ascend/time/time.h"
#include "agent/os/slow_path.h"
#include "hooks/ascend/time/event_pairs.h"
#include "hooks/ascend/time/harvest.h"
#include "hooks/ascend/time/mspti.h"
#include "hooks/ascend/time/other_profilers.h"
#include "hooks/ascend/time/streams.h"
#include "hooks/ascend/tracking/capture.h"

#define REFUSALS 8 /* so often in a row a stream takes no event: it is left alone for this step */
#define PATIENCE 64

/* ---- around a call ---- */

/* Where there are none left some work may be done by now: that is looked after now and then. */
static uint32_t take_pair(struct pairs_pool *pool)
{
	static _Atomic uint32_t misses;
	uint32_t pair = pairs_take(pool);

	if (pair || atomic_fetch_add(&misses, 1) % PATIENCE)
		return pair;
	harvest_times(NO_STREAM);
	return pairs_take(pool);
}

static uint32_t begin(struct handle_slot *s, aclrtStream stream, struct pairs_pool *pool)
{
	_Atomic uint8_t *refused = streams_refusals(s);
	uint32_t pair = atomic_load(refused) < REFUSALS ? take_pair(pool) : 0;

	if (!pair)
		return 0;
	if (pairs_record_first(pair, stream)) {
		atomic_store(refused, 0);
		return pair;
	}
	atomic_fetch_add(refused, 1);
	pairs_give(pair);
	return 0;
}

uint32_t ascend_time_first(aclrtStream stream)
{
	struct slow_path guard = slow_path_begin();
	struct handle_slot *s = streams_to_time(stream);
	struct pairs_pool *pool = s ? streams_pool(s, stream) : NULL;
	uint32_t pair = pool && streams_is_free(s, pool, stream) ? begin(s, stream, pool) : 0;

	slow_path_end(guard);
	return pair;
}

static enum mspti_work work_of(unsigned int what)
{
	if (what & TIME_KERNELS)
		return what & TIME_OUTER ? MSPTI_OPERATOR : MSPTI_LAUNCH;
	return what == TIME_COLLECTIVE ? MSPTI_COLLECTIVE : MSPTI_OTHER;
}

/* Where a capture may keep what another thread gives meanwhile, kernels cannot be told apart. */
static void begin_mspti(struct ascend_timed *own)
{
	own->inside = own->what && !capture_any() && !other_profilers_run(OTHER_SUBSCRIBER) && mspti_ready();
	if (own->inside)
		own->mspti = mspti_begin(work_of(own->what));
}

static bool begin_timing(aclrtStream stream, struct ascend_timed *own)
{
	struct handle_slot *s = streams_to_time(stream);
	struct pairs_pool *pool = s ? streams_pool(s, stream) : NULL;

	if (pool && !streams_is_free(s, pool, stream))
		return false; /* kept by a capture: it has no time, and none is missed */
	if (!pool)
		return true;
	begin_mspti(own);
	if (!own->mspti || !(own->what & TIME_KERNELS))
		own->pair = begin(s, stream, pool);
	return true;
}

bool ascend_time_begin(aclrtStream stream, struct ascend_timed *own)
{
	struct slow_path guard;
	bool timed;

	own->stream = stream;
	if (other_profilers_run(OTHER_PROFILER | OTHER_PROFILING))
		return true;
	guard = slow_path_begin();
	timed = begin_timing(stream, own);
	slow_path_end(guard);
	return timed;
}

void ascend_time_end(struct ascend_timed *own)
{
	struct slow_path guard = slow_path_begin();

	if (own->inside)
		mspti_end(own->mspti);
	own->inside = false;
	if (own->pair && !pairs_record_last(own->pair, own->stream)) {
		pairs_give(own->pair);
		own->pair = 0;
	}
	slow_path_end(guard);
}

/* By events, and it may be told by msPTI meanwhile. */
static void keep_pair(const struct call *c, const struct ascend_timed *own, uint32_t number)
{
	struct timing *t = timing_at(number);

	t->number = own->pair;
	t->outer = own->what & TIME_OUTER;
	t->what = own->stream;
	timing_note(t, c);
	t->told = own->mspti && mspti_share(own->mspti, number) ? own->mspti : 0;
	timing_push(&harvest_waiting, number);
	if (timing_crowded())
		harvest_times(NO_STREAM);
}

static void give_up(const struct ascend_timed *own)
{
	if (own->pair)
		pairs_give(own->pair);
	if (own->mspti)
		mspti_drop(own->mspti);
}

static void keep(const struct call *c, const struct ascend_timed *own)
{
	uint32_t number = c->recording && own->pair ? device_times_take() : 0;

	if (number) {
		keep_pair(c, own, number);
	} else if (c->recording && own->mspti && !own->pair) {
		mspti_keep(own->mspti, c, own->stream);
	} else {
		device_times_missed();
		give_up(own);
	}
}

void ascend_time_keep(const struct call *c, const struct ascend_timed *own, bool ok)
{
	struct slow_path guard;

	if (LIKELY(ok)) { /* the vendor is not called, but to harvest */
		keep(c, own);
		return;
	}
	guard = slow_path_begin();
	if (own->inside)
		mspti_end(own->mspti);
	give_up(own);
	slow_path_end(guard);
}
