#include "hooks/ascend/time/event_pools.h"
#include "agent/record/doorbell.h"
#include "agent/record/record.h"
#include "agent/session/session.h"
#include "hooks/ascend/tracking/contexts.h"
#include "hooks/capture/devices.h"
#include "hooks/link/resolve.h"

#define POOLS 64
#define MOST  8192 /* pairs of a context; the runtime documents 65,536 events of a device */

static struct pairs_pool pools[POOLS];
static _Atomic uint32_t pool_count;

uint32_t pools_enter(void)
{
	uint32_t inside = producer.inside;

	producer.inside = record_inside(inside) | INSIDE_AGENT;
	return inside;
}

void pools_leave(uint32_t inside)
{
	producer.inside = inside;
}

/* ---- making them ---- */

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
	return v->create && v->destroy && v->record && v->query && v->elapsed;
}

/* Not more than a quarter of what is left for the program. */
static uint32_t most_pairs(void)
{
	static _Atomic(void *) cache;
	aclError (*left)(uint32_t *) = hook_vendor(&cache, "aclrtGetEventAvailNum"); /* newer than 8.1.RC1 */
	uint32_t inside = pools_enter(), n = UINT32_MAX;

	if (left && left(&n))
		n = UINT32_MAX;
	pools_leave(inside);
	return n / 8 < MOST ? n / 8 : MOST;
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
	p->generation = session_generation;
	p->device = contexts_device();
	device_source(p->device, "events");
	atomic_store(&p->most, most_pairs());
	atomic_store(&p->alive, true);
	atomic_store_explicit(&p->context, context, memory_order_release);
	return p;
}

/* ---- finding them ---- */

uint32_t pools_count(void)
{
	uint32_t n = atomic_load(&pool_count);

	return n < POOLS ? n : POOLS;
}

static bool is_alive(const struct pairs_pool *p)
{
	return atomic_load(&p->alive) && p->generation == session_generation;
}

struct pairs_pool *pools_here(void)
{
	aclrtContext context = contexts_here();

	for (uint32_t i = 0; context && i < pools_count(); i++)
		if (atomic_load(&pools[i].context) == context && is_alive(&pools[i]))
			return &pools[i];
	return context ? new_pool(context) : NULL;
}

struct pairs_pool *pools_at(uint32_t number)
{
	return number && is_alive(&pools[number - 1]) ? &pools[number - 1] : NULL;
}

uint32_t pools_number(const struct pairs_pool *pool)
{
	return (uint32_t)(pool - pools) + 1;
}

/* ---- what is asked of them ---- */

bool pools_stream_free(const struct pairs_pool *pool, aclrtStream stream)
{
	aclmdlRICaptureStatus status = 0; /* none */
	aclmdlRI graph = NULL;
	uint32_t inside;
	bool is_free;

	if (!pool->vendor.capture)
		return true;
	inside = pools_enter();
	is_free = !pool->vendor.capture(stream, &status, &graph) && !status;
	pools_leave(inside);
	return is_free;
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
