#include "hooks/capture/pairs/pools.h"
#include <string.h>
#include "agent/record/doorbell.h"
#include "agent/record/question.h"
#include "agent/session/session.h"
#include "hooks/capture/devices.h"
#include "hooks/capture/pairs/vendor_times.h"

#define MOST 8192 /* pairs of a context; runtimes document 65,536 events of a device */

/* ---- making them ---- */

/* Not more than a quarter of what is left for the program. */
static uint32_t most_pairs(const struct vendor_times *of)
{
	uint32_t inside = question_in(), n = of->calls->events_left ? of->calls->events_left() : UINT32_MAX;

	question_out(inside);
	return n / 8 < MOST ? n / 8 : MOST;
}

static struct pairs_pool *make_ready(struct vendor_times *of, struct pairs_pool *p)
{
	void *real[EVENT_FUNCTIONS] = { NULL };

	if (!of->calls->find(real))
		return NULL;
	memcpy(p->real, real, sizeof(real));
	p->generation = session_generation;
	p->device = contexts_device(of->streams);
	device_source(p->device, "events");
	atomic_store(&p->most, most_pairs(of));
	atomic_store_explicit(&p->state, POOL_READY, memory_order_release);
	return p;
}

/* ---- finding them ---- */

static bool is_ready(const struct pairs_pool *p)
{
	return atomic_load_explicit(&p->state, memory_order_acquire) == POOL_READY && p->generation == session_generation;
}

/* Of this context, unless one is of an earlier session, or of a context that had its address. */
static bool is_of(const struct pairs_pool *p, const void *context)
{
	return atomic_load(&p->context) == context && (is_ready(p) || atomic_load(&p->state) == POOL_BEGUN);
}

bool pools_any(const struct vendor_times *of)
{
	return atomic_load(&of->pools.pool[0].context);
}

struct pairs_pool *pools_here(struct vendor_times *of)
{
	void *context = contexts_here(of->streams);
	struct pairs_pool *p = of->pools.pool;

	for (uint32_t i = 0; context && i < POOLS; i++, p++) {
		if (!atomic_load(&p->context))
			atomic_compare_exchange_strong(&p->context, &(void *){ NULL }, context);
		if (is_of(p, context))
			return is_ready(p) ? p : make_ready(of, p);
	}
	return NULL;
}

struct pairs_pool *pools_at(struct vendor_times *of, uint32_t number)
{
	struct pairs_pool *pools = of->pools.pool;

	return number && is_ready(&pools[number - 1]) ? &pools[number - 1] : NULL;
}

uint32_t pools_number(const struct vendor_times *of, const struct pairs_pool *pool)
{
	return (uint32_t)(pool - of->pools.pool) + 1;
}

void pools_end(struct pairs_pool *pool)
{
	atomic_store(&pool->state, POOL_ENDED);
}

/* ---- what is asked of them ---- */

bool pools_stream_free(const struct vendor_times *of, const struct pairs_pool *pool, void *stream)
{
	uint32_t inside;
	bool is_free;

	if (!pool->real[EVENT_CAPTURE])
		return true;
	inside = question_in();
	is_free = !of->calls->capture(pool->real, stream);
	question_out(inside);
	return is_free;
}

bool pools_aside(const struct vendor_times *of)
{
	return of->calls->aside && of->calls->aside();
}

void pools_hold(struct pairs_pool *pool)
{
	if (!atomic_load(&pool->held) && !atomic_exchange(&pool->held, true))
		atomic_fetch_add(&doorbell.held, 1);
}

void pools_let_go(struct pairs_pool *pool)
{
	if (!atomic_exchange(&pool->held, false))
		return;
	atomic_fetch_sub(&doorbell.held, 1);
	doorbell_ring();
}
