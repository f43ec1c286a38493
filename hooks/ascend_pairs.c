#include "hooks/ascend_pairs.h"
#include "agent/clock.h"
#include "agent/flush.h"
#include "agent/pages.h"
#include "agent/record.h"
#include "hooks/ascend.h"
#include "hooks/devices.h"
#include "hooks/resolve.h"

#define POOLS		    64
#define PAIRS		    (1u << 16)
#define ACL_EVENT_TIME_LINE 8
#define US		    1000u
#define BASE_NS		    1000000000u /* a float of milliseconds is exact to 60 ns so far, and no farther */

struct pair {
	aclrtEvent first, last;
	uint32_t next;
	uint32_t pool;
};

static struct pairs_pool pools[POOLS];
static _Atomic uint32_t pool_count;
static _Atomic(struct pair *) pairs;
static _Atomic uint32_t fresh;	/* pairs never used before */
static _Atomic uint64_t spares; /* tag << 32 | pair: without events */

uint32_t pairs_enter(void)
{
	uint32_t inside = producer.inside;

	producer.inside = record_inside(inside) | INSIDE_AGENT;
	return inside;
}

void pairs_leave(uint32_t inside)
{
	producer.inside = inside;
}

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

static bool have_pairs(void)
{
	return pages_once(&pairs, PAIRS * sizeof(struct pair));
}

static uint32_t new_number(void)
{
	uint32_t number = pop(&spares);

	if (number)
		return number;
	number = atomic_fetch_add(&fresh, 1) + 1;
	if (number <= PAIRS)
		return number;
	atomic_fetch_sub(&fresh, 1);
	return 0;
}

/* ---- pools ---- */

static bool find_vendor(struct pairs_vendor *v)
{
	static _Atomic(void *) create_ex, create, destroy, record, query, elapsed, timestamp, capture;

	/* Events of the first kind are not among those that a device has a limited number of. */
	v->create = hook_vendor(&create_ex, "aclrtCreateEventExWithFlag");
	if (!v->create)
		v->create = hook_vendor(&create, "aclrtCreateEventWithFlag");
	v->destroy = hook_vendor(&destroy, "aclrtDestroyEvent");
	v->record = hook_vendor(&record, "aclrtRecordEvent");
	v->query = hook_vendor(&query, "aclrtQueryEventStatus");
	v->elapsed = hook_vendor(&elapsed, "aclrtEventElapsedTime");
	v->timestamp = hook_vendor(&timestamp, "aclrtEventGetTimestamp");
	v->capture = hook_vendor(&capture, "aclmdlRICaptureGetInfo");
	return v->create && v->destroy && v->record && v->query && v->elapsed && have_pairs();
}

static aclrtContext current_context(void)
{
	static _Atomic(void *) cache;
	aclError (*get)(aclrtContext *) = hook_vendor(&cache, "aclrtGetCurrentContext");
	uint32_t inside = pairs_enter();
	aclrtContext context = NULL;

	if (!get || get(&context))
		context = NULL;
	pairs_leave(inside);
	return context;
}

/* Not more than a quarter of what is left for the program. */
static uint32_t most_pairs(void)
{
	static _Atomic(void *) cache;
	aclError (*left)(uint32_t *) = hook_vendor(&cache, "aclrtGetEventAvailNum"); /* newer than 8.1.RC1 */
	uint32_t inside = pairs_enter(), n = UINT32_MAX;

	if (left && left(&n))
		n = UINT32_MAX;
	pairs_leave(inside);
	return n / 8 < PAIRS_MOST ? n / 8 : PAIRS_MOST;
}

static struct pairs_pool *new_pool(aclrtContext context)
{
	struct pairs_vendor vendor;
	struct pairs_pool *p;
	uint32_t n;

	if (!find_vendor(&vendor))
		return NULL;
	n = atomic_fetch_add(&pool_count, 1);
	if (n >= POOLS) {
		atomic_store(&pool_count, POOLS);
		return NULL;
	}
	p = &pools[n];
	p->vendor = vendor;
	p->generation = record_generation;
	p->device = ascend_device();
	device_source(p->device, "events");
	atomic_store(&p->most, most_pairs());
	atomic_store(&p->alive, true);
	atomic_store_explicit(&p->context, context, memory_order_release);
	return p;
}

static bool is_alive(const struct pairs_pool *p)
{
	return atomic_load(&p->alive) && p->generation == record_generation;
}

struct pairs_pool *pairs_pool(void)
{
	aclrtContext context = current_context();

	for (uint32_t i = 0; context && i < atomic_load(&pool_count) && i < POOLS; i++)
		if (atomic_load(&pools[i].context) == context && is_alive(&pools[i]))
			return &pools[i];
	return context ? new_pool(context) : NULL;
}

struct pairs_pool *pairs_pool_at(uint32_t number)
{
	return number && is_alive(&pools[number - 1]) ? &pools[number - 1] : NULL;
}

uint32_t pairs_pool_number(const struct pairs_pool *pool)
{
	return (uint32_t)(pool - pools) + 1;
}

bool pairs_pools(void)
{
	return atomic_load(&pool_count);
}

struct pairs_pool *pairs_pool_of(uint32_t pair)
{
	return pairs_pool_at(pair_at(pair)->pool);
}

/* ---- pairs ---- */

static bool create(struct pairs_pool *pool, struct pair *p)
{
	uint32_t inside = pairs_enter();
	bool made = !pool->vendor.create(&p->first, ACL_EVENT_TIME_LINE);

	if (made && pool->vendor.create(&p->last, ACL_EVENT_TIME_LINE)) {
		pool->vendor.destroy(p->first);
		made = false;
	}
	pairs_leave(inside);
	return made;
}

/* The runtime has no more for us: from now on there are as many as there were. */
static uint32_t refused(struct pairs_pool *pool, uint32_t number)
{
	atomic_store(&pool->most, atomic_fetch_sub(&pool->made, 1) - 1);
	push(&spares, number);
	return 0;
}

static void hold(struct pairs_pool *pool)
{
	if (!atomic_load(&pool->held) && !atomic_exchange(&pool->held, true))
		atomic_fetch_add(&flush_held, 1);
}

uint32_t pairs_take(struct pairs_pool *pool)
{
	uint32_t number = pop(&pool->idle);

	if (number)
		return number;
	hold(pool);
	if (atomic_fetch_add(&pool->made, 1) >= atomic_load(&pool->most) || !(number = new_number())) {
		atomic_fetch_sub(&pool->made, 1);
		return 0;
	}
	pair_at(number)->pool = pairs_pool_number(pool);
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
	uint32_t inside = pairs_enter();
	bool done = pool && !pool->vendor.record(event, stream);

	pairs_leave(inside);
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
	uint32_t inside = pairs_enter();
	int rc = pool ? pool->vendor.query(event, &status) : -1;

	pairs_leave(inside);
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
	if (!pool->base) {
		pool->base = pair; /* it is not idle before another takes its place */
		pool->base_ns = clock_now_ns();
		*ns = pool->base_ns;
		return true;
	}
	if (!elapsed_ns(pool, pair_at(pool->base)->first, event, ns))
		return false;
	*ns += pool->base_ns;
	return true;
}

static void move_base(struct pairs_pool *pool, uint32_t pair, uint64_t ns)
{
	if (pool->vendor.timestamp || pool->base == pair || ns - pool->base_ns < BASE_NS)
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

bool pairs_moment(uint32_t pair, uint64_t *ns)
{
	struct pairs_pool *pool = pairs_pool_of(pair);
	uint32_t inside;
	bool known;

	if (done(pool, pair_at(pair)->first) != 1)
		return false;
	inside = pairs_enter();
	known = moment(pool, pair, ns);
	pairs_leave(inside);
	return known;
}

bool pairs_read(uint32_t pair, uint64_t *begin, uint64_t *duration)
{
	struct pairs_pool *pool = pairs_pool_of(pair);
	uint32_t inside;
	bool known;

	if (!pool)
		return false;
	inside = pairs_enter();
	known = elapsed_ns(pool, pair_at(pair)->first, pair_at(pair)->last, duration) && moment(pool, pair, begin);
	pairs_leave(inside);
	if (known)
		move_base(pool, pair, *begin);
	return known;
}

/* ---- the end ---- */

static void destroy(struct pairs_pool *pool, uint32_t number)
{
	uint32_t inside = pairs_enter();

	pool->vendor.destroy(pair_at(number)->first);
	pool->vendor.destroy(pair_at(number)->last);
	pairs_leave(inside);
	atomic_fetch_sub(&pool->made, 1);
	push(&spares, number);
}

static void let_go(struct pairs_pool *pool)
{
	if (!atomic_exchange(&pool->held, false))
		return;
	atomic_fetch_sub(&flush_held, 1);
	flush_wake();
}

void pairs_put_away(struct pairs_pool *pool)
{
	uint32_t number = atomic_exchange(&pool->base, 0);

	if (number)
		destroy(pool, number);
	while ((number = pop(&pool->idle)))
		destroy(pool, number);
	let_go(pool);
}

/* Another thread's context: its events go with it, and we are not the ones to touch them. */
static void end(struct pairs_pool *pool, aclrtContext here)
{
	if (!is_alive(pool))
		return;
	if (atomic_load(&pool->context) == here)
		pairs_put_away(pool);
	let_go(pool);
	atomic_store(&pool->alive, false);
}

void pairs_end_context(aclrtContext context)
{
	aclrtContext here = current_context();

	for (uint32_t i = 0; i < atomic_load(&pool_count) && i < POOLS; i++)
		if (atomic_load(&pools[i].context) == context)
			end(&pools[i], here);
}

void pairs_end_device(uint32_t device)
{
	aclrtContext here = current_context();

	for (uint32_t i = 0; i < atomic_load(&pool_count) && i < POOLS; i++)
		if (pools[i].device == device)
			end(&pools[i], here);
}
