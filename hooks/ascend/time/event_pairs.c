#include "hooks/ascend/time/event_pairs.h"
#include "agent/os/clock.h"
#include "agent/os/pages.h"
#include "hooks/ascend/tracking/contexts.h"
#include "hooks/capture/device_times.h"

#define PAIRS		    (1u << 16)
#define ACL_EVENT_TIME_LINE 8
#define QUERIES		    200 /* for an event in a stream that is idle, before it is given up */
#define US		    1000u
#define BASE_NS		    1000000000u /* a float of milliseconds is exact to 30 ns so far, and to 60 twice as far */

struct pair {
	aclrtEvent first, last;
	uint32_t next;
	uint32_t pool;
};

static _Atomic(struct pair *) pairs;
static _Atomic uint32_t fresh;	/* pairs never used before */
static _Atomic uint64_t spares; /* tag << 32 | pair: without events */

/* ---- lists ---- */

static struct pair *pair_at(uint32_t number)
{
	return &atomic_load(&pairs)[number - 1];
}

static uint32_t pop(_Atomic uint64_t *list)
{
	uint64_t head = atomic_load(list), next;

	do {
		if (!(uint32_t)head)
			return 0;
		next = ((head >> 32) + 1) << 32 | __atomic_load_n(&pair_at((uint32_t)head)->next, __ATOMIC_RELAXED);
	} while (!atomic_compare_exchange_weak(list, &head, next));
	return (uint32_t)head;
}

static void push(_Atomic uint64_t *list, uint32_t number)
{
	uint64_t head = atomic_load(list), mine;

	do {
		__atomic_store_n(&pair_at(number)->next, (uint32_t)head, __ATOMIC_RELAXED);
		mine = ((head >> 32) + 1) << 32 | number;
	} while (!atomic_compare_exchange_weak(list, &head, mine));
}

static uint32_t new_number(void)
{
	uint32_t number = pop(&spares);

	if (number)
		return number;
	if (!pages_once(&pairs, PAIRS * sizeof(struct pair)))
		return 0;
	number = atomic_fetch_add(&fresh, 1) + 1;
	if (number <= PAIRS)
		return number;
	atomic_fetch_sub(&fresh, 1);
	return 0;
}

/* ---- pairs ---- */

struct pairs_pool *pairs_pool_of(uint32_t pair)
{
	return pools_at(pair_at(pair)->pool);
}

static bool create(struct pairs_pool *pool, struct pair *p)
{
	uint32_t inside = pools_enter();
	bool made = !pool->vendor.create(&p->first, ACL_EVENT_TIME_LINE);

	if (made && pool->vendor.create(&p->last, ACL_EVENT_TIME_LINE)) {
		pool->vendor.destroy(p->first);
		made = false;
	}
	pools_leave(inside);
	return made;
}

/* The runtime has no more for us: from now on there are as many as there were. */
static uint32_t refused(struct pairs_pool *pool, uint32_t number)
{
	atomic_store(&pool->most, atomic_fetch_sub(&pool->made, 1) - 1);
	push(&spares, number);
	return 0;
}

uint32_t pairs_take(struct pairs_pool *pool)
{
	uint32_t number = pop(&pool->idle);

	if (number)
		return number;
	pools_hold(pool);
	if (atomic_fetch_add(&pool->made, 1) >= atomic_load(&pool->most) || !(number = new_number())) {
		atomic_fetch_sub(&pool->made, 1);
		return 0;
	}
	pair_at(number)->pool = pools_number(pool);
	return create(pool, pair_at(number)) ? number : refused(pool, number);
}

void pairs_give(uint32_t pair)
{
	struct pairs_pool *pool = pairs_pool_of(pair);

	if (pool && atomic_load(&pool->base) != pair)
		push(&pool->idle, pair);
}

static bool record(uint32_t pair, aclrtEvent event, aclrtStream stream)
{
	struct pairs_pool *pool = pairs_pool_of(pair);
	uint32_t inside = pools_enter();
	bool done = pool && !pool->vendor.record(event, stream);

	pools_leave(inside);
	return done;
}

bool pairs_record_first(uint32_t pair, aclrtStream stream)
{
	return record(pair, pair_at(pair)->first, stream);
}

bool pairs_record_last(uint32_t pair, aclrtStream stream)
{
	return record(pair, pair_at(pair)->last, stream);
}

static int done(struct pairs_pool *pool, aclrtEvent event)
{
	aclrtEventRecordedStatus status = 0; /* 1: complete */
	uint32_t inside = pools_enter();
	int rc = pool ? pool->vendor.query(event, &status) : -1;

	pools_leave(inside);
	return rc ? -1 : status == 1;
}

int pairs_done(uint32_t pair)
{
	return done(pairs_pool_of(pair), pair_at(pair)->last);
}

/* ---- times ---- */

static bool elapsed_ns(struct pairs_pool *pool, aclrtEvent from, aclrtEvent to, uint64_t *ns)
{
	float ms = -1;

	if (pool->vendor.elapsed(&ms, from, to) || !(ms >= 0))
		return false;
	*ns = (uint64_t)((double)ms * 1e6 + 0.5);
	return true;
}

/* There are no time stamps: times count from a pair of ours, on a clock that began when it was first looked at. */
static bool since_base(struct pairs_pool *pool, uint32_t pair, aclrtEvent event, uint64_t *ns)
{
	aclrtEvent base;
	uint64_t before;

	if (!pool->base) {
		pool->base = pair; /* it is not idle before another takes its place */
		pool->base_ns = clock_now_ns();
		*ns = pool->base_ns;
		return true;
	}
	base = pair_at(pool->base)->first;
	if (elapsed_ns(pool, base, event, ns))
		*ns += pool->base_ns;
	else if (elapsed_ns(pool, event, base, &before)) /* it came before the base did */
		*ns = pool->base_ns - before;
	else
		return false;
	return true;
}

static void move_base(struct pairs_pool *pool, uint32_t pair, uint64_t ns)
{
	if (pool->vendor.timestamp || pool->base == pair || ns < pool->base_ns + BASE_NS)
		return;
	push(&pool->idle, pool->base);
	pool->base = pair;
	pool->base_ns = ns;
}

static bool moment(struct pairs_pool *pool, uint32_t pair, uint64_t *ns)
{
	uint64_t us = 0;

	if (!pool->vendor.timestamp)
		return since_base(pool, pair, pair_at(pair)->first, ns);
	if (pool->vendor.timestamp(pair_at(pair)->first, &us))
		return false;
	*ns = us * US;
	return true;
}

static bool moment_of_first(uint32_t pair, uint64_t *ns)
{
	struct pairs_pool *pool = pairs_pool_of(pair);
	uint32_t inside;
	bool known;

	if (done(pool, pair_at(pair)->first) != 1)
		return false;
	inside = pools_enter();
	known = moment(pool, pair, ns);
	pools_leave(inside);
	return known;
}

/* Waits for next to nothing: the program has just waited for this stream. */
static bool await_first(uint32_t pair, uint64_t *ns)
{
	for (unsigned int i = 0; i < QUERIES; i++)
		if (moment_of_first(pair, ns))
			return true;
	return false;
}

void pairs_calibrate(struct pairs_pool *pool, aclrtStream stream)
{
	uint32_t pair = pairs_take(pool);
	uint64_t from = clock_ticks(), ns;

	if (!pair)
		return;
	if (pairs_record_first(pair, stream) && await_first(pair, &ns))
		device_times_clock(pool->device, ns, from, clock_ticks());
	pairs_give(pair);
}

bool pairs_read(uint32_t pair, uint64_t *begin, uint64_t *duration)
{
	struct pairs_pool *pool = pairs_pool_of(pair);
	uint32_t inside;
	bool known;

	if (!pool)
		return false;
	inside = pools_enter();
	known = elapsed_ns(pool, pair_at(pair)->first, pair_at(pair)->last, duration) && moment(pool, pair, begin);
	pools_leave(inside);
	if (known)
		move_base(pool, pair, *begin);
	return known;
}

/* ---- the end ---- */

static void destroy(struct pairs_pool *pool, uint32_t number)
{
	uint32_t inside = pools_enter();

	pool->vendor.destroy(pair_at(number)->first);
	pool->vendor.destroy(pair_at(number)->last);
	pools_leave(inside);
	atomic_fetch_sub(&pool->made, 1);
	push(&spares, number);
}

void pairs_put_away(struct pairs_pool *pool)
{
	uint32_t number = atomic_exchange(&pool->base, 0);

	if (number)
		destroy(pool, number);
	while ((number = pop(&pool->idle)))
		destroy(pool, number);
	pools_let_go(pool);
}

/* Another thread's context: its events go with it, and we are not the ones to touch them. */
static void end(struct pairs_pool *pool, aclrtContext here)
{
	if (atomic_load(&pool->context) == here)
		pairs_put_away(pool);
	pools_let_go(pool);
	atomic_store(&pool->alive, false);
}

void pairs_end(bool (*ends)(const struct pairs_pool *, uint64_t), uint64_t what)
{
	aclrtContext here = contexts_here();
	struct pairs_pool *pool;

	for (uint32_t n = 1; n <= pools_count(); n++)
		if ((pool = pools_at(n)) && ends(pool, what))
			end(pool, here);
}
