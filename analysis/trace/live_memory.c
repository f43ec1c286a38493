#include "analysis/trace/live_memory.h"

int64_t live_memory_take(struct memory_sum *m, struct table *live, const struct memory_event *ev)
{
	struct live_piece *known = table_put(live, ev->address);
	uint64_t was = known->size, before = m->unfreed_bytes;

	/* A live address that comes back was freed unseen: what is new is another allocation. */
	if (was) {
		m->unfreed_bytes -= was - 1;
		m->unfreed--;
	}
	*known = (struct live_piece){ .size = ev->is_free ? 0 : ev->bytes + 1, .hook = ev->hook };
	if (ev->is_free) {
		m->frees++;
		return (int64_t)(m->unfreed_bytes - before);
	}
	m->allocations++;
	m->unfreed++;
	m->unfreed_bytes += ev->bytes;
	m->bytes += ev->bytes;
	if (m->unfreed_bytes > m->peak_bytes)
		m->peak_bytes = m->unfreed_bytes;
	return (int64_t)(m->unfreed_bytes - before);
}

bool memory_event_of(struct memory_event *m, uint64_t *ns, const struct trace_event *ev)
{
	bool is_pool = ev->kind == EV_POOL_ALLOC || ev->kind == EV_POOL_FREE;

	*m = (struct memory_event){
		.address = ev->address,
		.bytes = ev->bytes,
		.is_free = ev->kind == EV_FREE || ev->kind == EV_POOL_FREE,
		.place = ev->flags & DEF_HOOK_HOST ? PLACE_HOST : PLACE_DEVICE,
		.pool = is_pool ? ev->definition : NULL,
		.step = ev->step,
		.hook = ev->hook,
	};
	/* An address may be handed out again while its free is still returning. */
	*ns = ev->begin_ns + (m->is_free ? 0 : ev->duration_ns);
	return !ev->nested && !ev->result && ev->address && (!is_pool || m->pool);
}
