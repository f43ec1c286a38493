#include "hooks/ascend_time.h"
#include "agent/flush.h"
#include "agent/quiet.h"
#include "agent/session.h"
#include "hooks/ascend_capture.h"
#include "hooks/ascend_others.h"
#include "hooks/ascend_pairs.h"
#include "hooks/devices.h"
#include "hooks/mspti.h"
#include "hooks/timing.h"

#define STREAMS	 65536 /* DEF_STREAM ids */
#define REFUSALS 8     /* so often in a row a stream takes no event: it is left alone for this step */
#define PATIENCE 64
#define LATE	 16 /* streams whose work is not done yet, remembered while times are read */
#define US	 1000u

static struct timings work = { .busy = ATOMIC_FLAG_INIT };

/* What is read of a stream's times comes in its order: [1] operators and collectives, [0] what may be inside of them. */
static uint64_t read_until[STREAMS][2];
static _Atomic uint8_t refusals[STREAMS];

/* ---- streams ---- */

/* In the books of streams, b: the pool in the low 32 bits; above, when it was last seen that no capture keeps its work. */
static uint32_t moment_now(void)
{
	return capture_changes() << 16 | (gate_epoch(gate_load()) & 0xffff) | 1u << 31;
}

static bool is_free(struct handle_slot *s, struct pairs_pool *pool, aclrtStream stream)
{
	uint32_t now = moment_now();

	if (capture_any())
		return !capture_has(stream) && pools_stream_free(pool, stream);
	if (atomic_load(&s->b) >> 32 == now)
		return true;
	if (!pools_stream_free(pool, stream))
		return false;
	atomic_store(&refusals[atomic_load(&s->a) & (STREAMS - 1)], 0);
	atomic_store(&s->b, (uint64_t)now << 32 | pools_number(pool));
	return true;
}

/* The default stream is another one in every context. */
static struct pairs_pool *pool_of(struct handle_slot *s, aclrtStream stream)
{
	struct pairs_pool *known = stream ? pools_at((uint32_t)atomic_load(&s->b)) : NULL;

	return known ? known : pools_here();
}

static struct handle_slot *known_stream(aclrtStream stream)
{
	return handles_get(&ascend_books.streams, ascend_stream_key(stream));
}

/* One that nobody saw being made may be none, as long as no call that was given it has succeeded; the default one always is. */
static struct handle_slot *stream_to_time(aclrtStream stream)
{
	struct handle_slot *s = known_stream(stream);

	if (s || stream || !pools_here())
		return s;
	ascend_new_stream(NULL);
	return known_stream(NULL);
}

/* ---- around a call ---- */

/* Where there are none left some work may be done by now: that is looked after now and then. */
static uint32_t take_pair(struct pairs_pool *pool)
{
	static _Atomic uint32_t misses;
	uint32_t pair = pairs_take(pool);

	if (pair || atomic_fetch_add(&misses, 1) % PATIENCE)
		return pair;
	ascend_time_harvest(NO_STREAM);
	return pairs_take(pool);
}

static uint32_t begin(struct handle_slot *s, aclrtStream stream, struct pairs_pool *pool)
{
	_Atomic uint8_t *refused = &refusals[atomic_load(&s->a) & (STREAMS - 1)];
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

/* Where a capture may keep what another thread gives meanwhile, kernels cannot be told apart. */
static bool by_mspti(struct ascend_timed *own)
{
	own->inside = own->what & TIME_KERNELS && !capture_any() && !ascend_other_runs(OTHER_SUBSCRIBER) && mspti_ready();
	if (own->inside)
		own->mspti = mspti_begin(own->what & TIME_OUTER);
	return own->mspti;
}

static bool begin_timing(aclrtStream stream, struct ascend_timed *own)
{
	struct handle_slot *s = stream_to_time(stream);
	struct pairs_pool *pool = s ? pool_of(s, stream) : NULL;

	if (pool && !is_free(s, pool, stream))
		return false; /* kept by a capture: it has no time, and none is missed */
	if (pool && !by_mspti(own))
		own->pair = begin(s, stream, pool);
	return true;
}

bool ascend_time_begin(aclrtStream stream, struct ascend_timed *own)
{
	struct quiet quiet;
	bool timed;

	own->stream = stream;
	if (ascend_other_runs(OTHER_PROFILER | OTHER_PROFILING))
		return true;
	quiet = quiet_begin();
	timed = begin_timing(stream, own);
	quiet_end(quiet);
	return timed;
}

void ascend_time_end(struct ascend_timed *own)
{
	struct quiet quiet = quiet_begin();

	if (own->inside)
		mspti_end(own->mspti);
	own->inside = false;
	if (own->pair && !pairs_record_last(own->pair, own->stream)) {
		pairs_give(own->pair);
		own->pair = 0;
	}
	quiet_end(quiet);
}

static void keep(const struct call *c, const struct ascend_timed *own)
{
	uint32_t number = c->recording && own->pair ? timing_take() : 0;
	struct timing *t;

	if (!number) {
		timing_missed();
		if (own->pair)
			pairs_give(own->pair);
		return;
	}
	t = timing_at(number);
	t->number = own->pair;
	t->outer = own->what & TIME_OUTER;
	timing_keep(&work, number, c);
	if (timing_crowded())
		ascend_time_harvest(NO_STREAM);
}

static void keep_number(const struct call *c, const struct ascend_timed *own, bool ok)
{
	if (ok && c->recording)
		mspti_keep(own->mspti, c, own->stream);
	else
		mspti_drop(own->mspti);
	if (ok && !c->recording)
		timing_missed();
}

void ascend_time_keep(const struct call *c, const struct ascend_timed *own, bool ok)
{
	struct quiet quiet = quiet_begin();

	if (own->inside) /* it failed */
		mspti_end(own->mspti);
	if (own->mspti)
		keep_number(c, own, ok);
	else if (ok)
		keep(c, own);
	else if (own->pair)
		pairs_give(own->pair);
	quiet_end(quiet);
}

/* ---- reading ---- */

/* Of the one who reads: what a look at one call tells of the next. */
static struct pairs_pool *reading; /* calls of other contexts are left to threads of theirs */
static uint16_t late[LATE];
static unsigned int late_count;

static bool is_late(uint16_t stream)
{
	for (unsigned int i = 0; i < late_count; i++)
		if (late[i] == stream)
			return true;
	return false;
}

static bool found_late(uint16_t stream)
{
	if (late_count < LATE)
		late[late_count++] = stream;
	return false;
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
	timing_clock(pool->device, begin, t->begin, now);
	return timing_write(t, t->stream, not_before(&read_until[t->stream][t->outer], begin, duration), duration);
}

static bool collect(struct timing *t)
{
	struct pairs_pool *pool = pairs_pool_of(t->number);
	int done;

	if (pool && (pool != reading || is_late(t->stream)))
		return false;
	done = pool ? pairs_done(t->number) : -1;
	if (!done)
		return found_late(t->stream);
	if (done < 0 || !read_times(t, pool))
		timing_missed();
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
	s = known_stream(stream);
	if (s && is_free(s, pool, stream))
		pairs_calibrate(pool, stream);
}

/* ---- harvest ---- */

static bool nothing_waits(void)
{
	return !((uint32_t)gate_load() & GATE_WINDOW) && atomic_load(&flush_pending) <= 0;
}

static void harvest(struct pairs_pool *pool, aclrtStream stream)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;

	if (atomic_flag_test_and_set(&busy))
		return;
	look_at_clock(pool, stream);
	reading = pool;
	late_count = 0;
	timing_harvest(&work, collect);
	if (nothing_waits())
		pairs_put_away(pool);
	atomic_flag_clear(&busy);
}

void ascend_time_harvest(aclrtStream stream)
{
	struct quiet quiet;
	struct pairs_pool *pool;

	if (!flush_awaits() || capture_any() || producer.inside & INSIDE_AGENT ||
	    ascend_other_runs(OTHER_PROFILER | OTHER_PROFILING))
		return;
	quiet = quiet_begin();
	mspti_harvest();
	pool = pools_here();
	if (pool)
		harvest(pool, stream);
	quiet_end(quiet);
}

/* ---- ends ---- */

void ascend_time_stream_ends(aclrtStream stream)
{
	if (agent_config.contents & CONTENT_NPU && known_stream(stream))
		ascend_time_harvest(NO_STREAM);
}

static void end_pools(bool (*ends)(const struct pairs_pool *, uint64_t), uint64_t what)
{
	struct quiet quiet;

	if (!(agent_config.contents & CONTENT_NPU) || !pools_count())
		return;
	ascend_time_harvest(NO_STREAM);
	quiet = quiet_begin();
	pairs_end(ends, what);
	quiet_end(quiet);
}

static bool is_of_context(const struct pairs_pool *pool, uint64_t context)
{
	return (uintptr_t)atomic_load(&pool->context) == context;
}

void ascend_context_ends(aclrtContext context)
{
	end_pools(is_of_context, (uintptr_t)context);
}

static bool is_on_device(const struct pairs_pool *pool, uint64_t number)
{
	return pool->device == device_known(number + 1);
}

void ascend_device_ends(int32_t number)
{
	end_pools(is_on_device, (uint64_t)number);
}
