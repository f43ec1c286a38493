#include "hooks/capture/pairs/pairs.h"
#include <string.h>
#include "agent/os/clock.h"
#include "agent/os/pages.h"
#include "agent/record/question.h"
#include "hooks/capture/device_times.h"
#include "hooks/capture/pairs/vendor_times.h"

#define PAIRS	(1u << 16)
#define QUERIES 200	    /* for an event in a stream that is idle, before it is given up */
#define BASE_NS 1000000000u /* a float of milliseconds is exact to 30 ns so far, and to 60 twice as far */

/* ---- lists ---- */

static struct pair *pair_at(struct vendor_times *of, uint32_t number)
{
	return &atomic_load(&of->pairs.all)[number - 1];
}

static uint32_t pop(struct vendor_times *of, _Atomic uint64_t *list)
{
	uint64_t head = atomic_load(list), next;

	do {
		if (!(uint32_t)head)
			return 0;
		next = ((head >> 32) + 1) << 32 | __atomic_load_n(&pair_at(of, (uint32_t)head)->next, __ATOMIC_RELAXED);
	} while (!atomic_compare_exchange_weak(list, &head, next));
	return (uint32_t)head;
}

static void push(struct vendor_times *of, _Atomic uint64_t *list, uint32_t number)
{
	uint64_t head = atomic_load(list), mine;

	do {
		__atomic_store_n(&pair_at(of, number)->next, (uint32_t)head, __ATOMIC_RELAXED);
		mine = ((head >> 32) + 1) << 32 | number;
	} while (!atomic_compare_exchange_weak(list, &head, mine));
}

static uint32_t new_number(struct vendor_times *of)
{
	uint32_t number = pop(of, &of->pairs.spares);

	if (number)
		return number;
	if (!pages_once(&of->pairs.all, PAIRS * sizeof(struct pair)))
		return 0;
	number = atomic_fetch_add(&of->pairs.fresh, 1) + 1;
	if (number <= PAIRS)
		return number;
	atomic_fetch_sub(&of->pairs.fresh, 1);
	return 0;
}

/* ---- pairs ---- */

struct pairs_pool *pairs_pool_of(struct vendor_times *of, uint32_t pair)
{
	return pools_at(of, pair_at(of, pair)->pool);
}

static bool create(struct vendor_times *of, struct pairs_pool *pool, struct pair *p)
{
	uint32_t inside = question_in();
	bool made = !of->calls->create(pool->real, &p->first);

	if (made && of->calls->create(pool->real, &p->last)) {
		of->calls->destroy(pool->real, p->first);
		made = false;
	}
	question_out(inside);
	return made;
}

/* The runtime has no more for us: from now on there are as many as there were. */
static uint32_t refused(struct vendor_times *of, struct pairs_pool *pool, uint32_t number)
{
	atomic_store(&pool->most, atomic_fetch_sub(&pool->made, 1) - 1);
	push(of, &of->pairs.spares, number);
	return 0;
}

uint32_t pairs_take(struct vendor_times *of, struct pairs_pool *pool)
{
	uint32_t number = pop(of, &pool->idle);

	if (number)
		return number;
	pools_hold(pool);
	if (atomic_fetch_add(&pool->made, 1) >= atomic_load(&pool->most) || !(number = new_number(of))) {
		atomic_fetch_sub(&pool->made, 1);
		return 0;
	}
	pair_at(of, number)->pool = pools_number(of, pool);
	return create(of, pool, pair_at(of, number)) ? number : refused(of, pool, number);
}

void pairs_give(struct vendor_times *of, uint32_t pair)
{
	struct pairs_pool *pool = pairs_pool_of(of, pair);

	if (!pool)
		push(of, &of->pairs.spares, pair); /* its events went with their context */
	else if (atomic_load(&pool->base) != pair)
		push(of, &pool->idle, pair);
}

static bool record(struct vendor_times *of, uint32_t pair, void *event, void *stream)
{
	struct pairs_pool *pool = pairs_pool_of(of, pair);
	uint32_t inside = question_in();
	bool done = pool && !of->calls->record(pool->real, event, stream);

	question_out(inside);
	return done;
}

bool pairs_record_first(struct vendor_times *of, uint32_t pair, void *stream)
{
	return record(of, pair, pair_at(of, pair)->first, stream);
}

bool pairs_record_last(struct vendor_times *of, uint32_t pair, void *stream)
{
	return record(of, pair, pair_at(of, pair)->last, stream);
}

static int done(struct vendor_times *of, struct pairs_pool *pool, void *event)
{
	uint32_t inside = question_in();
	int is_done = pool ? of->calls->query(pool->real, event) : -1;

	question_out(inside);
	return is_done;
}

int pairs_done(struct vendor_times *of, uint32_t pair)
{
	return done(of, pairs_pool_of(of, pair), pair_at(of, pair)->last);
}

/* ---- times ---- */

#define FLOAT_FRACTION 23 /* bits of IEEE 754's binary32 */
#define FLOAT_EXPONENT 0xff
#define FLOAT_BIAS     127
#define NS_OF_MS       1000000u
#define PRODUCT_BITS   44 /* 20 of it, and a fraction's 24 */

/* Rounded. Without floating point, whose flags are the program's. False: it is negative, or no such time. */
static bool ns_of_ms(float ms, uint64_t *ns)
{
	uint32_t bits, exponent;
	uint64_t product;
	int places; /* behind the point, of two */

	memcpy(&bits, &ms, sizeof(bits));
	exponent = bits >> FLOAT_FRACTION & FLOAT_EXPONENT;
	places = FLOAT_BIAS + FLOAT_FRACTION - (int)(exponent ? exponent : 1);
	product = (uint64_t)((bits & ((1u << FLOAT_FRACTION) - 1)) | (exponent ? 1u << FLOAT_FRACTION : 0)) * NS_OF_MS;
	if ((bits >> 31 && product) || -places > 63 - PRODUCT_BITS) /* as of infinities, and of what is no number */
		return false;
	if (places > 0)
		*ns = places < 64 ? (product + (1ull << (places - 1))) >> places : 0;
	else
		*ns = product << -places;
	return true;
}

static bool elapsed_ns(struct vendor_times *of, struct pairs_pool *pool, void *from, void *to, uint64_t *ns)
{
	float ms = -1;

	return !of->calls->elapsed(pool->real, &ms, from, to) && ns_of_ms(ms, ns);
}

/* There are no time stamps: times count from a pair of ours, on a clock that began when it was first looked at. */
static bool since_base(struct vendor_times *of, struct pairs_pool *pool, uint32_t pair, void *event, uint64_t *ns)
{
	void *base;
	uint64_t before;

	if (!pool->base) {
		pool->base = pair; /* it is not idle before another takes its place */
		pool->base_ns = clock_now_ns();
		*ns = pool->base_ns;
		return true;
	}
	base = pair_at(of, pool->base)->first;
	if (elapsed_ns(of, pool, base, event, ns))
		*ns += pool->base_ns;
	else if (elapsed_ns(of, pool, event, base, &before)) /* it came before the base did */
		*ns = pool->base_ns - before;
	else
		return false;
	return true;
}

static void move_base(struct vendor_times *of, struct pairs_pool *pool, uint32_t pair, uint64_t ns)
{
	if (pool->real[EVENT_TIMESTAMP] || pool->base == pair || ns < pool->base_ns + BASE_NS)
		return;
	push(of, &pool->idle, pool->base);
	pool->base = pair;
	pool->base_ns = ns;
}

static bool moment(struct vendor_times *of, struct pairs_pool *pool, uint32_t pair, uint64_t *ns)
{
	if (!pool->real[EVENT_TIMESTAMP])
		return since_base(of, pool, pair, pair_at(of, pair)->first, ns);
	return !of->calls->timestamp(pool->real, pair_at(of, pair)->first, ns);
}

static bool moment_of_first(struct vendor_times *of, uint32_t pair, uint64_t *ns)
{
	struct pairs_pool *pool = pairs_pool_of(of, pair);
	uint32_t inside;
	bool known;

	if (done(of, pool, pair_at(of, pair)->first) != 1)
		return false;
	inside = question_in();
	known = moment(of, pool, pair, ns);
	question_out(inside);
	return known;
}

/* Waits for next to nothing: the program has just waited for this stream. */
static bool await_first(struct vendor_times *of, uint32_t pair, uint64_t *ns)
{
	for (unsigned int i = 0; i < QUERIES; i++)
		if (moment_of_first(of, pair, ns))
			return true;
	return false;
}

void pairs_calibrate(struct vendor_times *of, struct pairs_pool *pool, void *stream)
{
	uint32_t pair = pairs_take(of, pool);
	uint64_t from = clock_ticks(), ns;

	if (!pair)
		return;
	if (pairs_record_first(of, pair, stream) && await_first(of, pair, &ns))
		device_times_clock(pool->device, ns, from, clock_ticks());
	pairs_give(of, pair);
}

bool pairs_read(struct vendor_times *of, uint32_t pair, uint64_t *begin, uint64_t *duration)
{
	struct pairs_pool *pool = pairs_pool_of(of, pair);
	uint32_t inside;
	bool known;

	if (!pool)
		return false;
	inside = question_in();
	known = elapsed_ns(of, pool, pair_at(of, pair)->first, pair_at(of, pair)->last, duration) && moment(of, pool, pair, begin);
	question_out(inside);
	if (known)
		move_base(of, pool, pair, *begin);
	return known;
}

/* ---- the end ---- */

static void destroy(struct vendor_times *of, struct pairs_pool *pool, uint32_t number)
{
	uint32_t inside = question_in();

	of->calls->destroy(pool->real, pair_at(of, number)->first);
	of->calls->destroy(pool->real, pair_at(of, number)->last);
	question_out(inside);
	atomic_fetch_sub(&pool->made, 1);
	push(of, &of->pairs.spares, number);
}

/* Of another thread's context, or one that is no more, events go with it: we are not the ones to touch them. */
static void empty(struct vendor_times *of, struct pairs_pool *pool, bool are_ours)
{
	uint32_t number;

	while ((number = atomic_exchange(&pool->base, 0)) || (number = pop(of, &pool->idle))) {
		if (are_ours)
			destroy(of, pool, number);
		else
			push(of, &of->pairs.spares, number);
	}
	pools_let_go(pool);
}

void pairs_put_away(struct vendor_times *of, struct pairs_pool *pool)
{
	empty(of, pool, true);
}

void pairs_end(struct vendor_times *of, bool (*ends)(const struct pairs_pool *, uint64_t), uint64_t what, const void *here)
{
	struct pairs_pool *pool;

	for (uint32_t n = 1; n <= POOLS; n++) {
		pool = pools_at(of, n);
		if (!pool || !ends(pool, what))
			continue;
		empty(of, pool, atomic_load(&pool->context) == here);
		pools_end(pool);
	}
}
