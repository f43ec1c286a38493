#include "analysis/trace/live_memory.h"

void live_memory_take(struct memory_sum *m, struct table *live, const struct memory_event *ev)
{
	uint64_t *known = table_put(live, ev->address);
	uint64_t was = *known;

	/* A live address that comes back was freed unseen: what is new is another allocation. */
	if (was) {
		m->unfreed_bytes -= was - 1;
		m->unfreed--;
	}
	*known = 0;
	if (ev->is_free) {
		m->frees++;
		return;
	}
	*known = ev->bytes + 1;
	m->allocations++;
	m->unfreed++;
	m->unfreed_bytes += ev->bytes;
	m->bytes += ev->bytes;
	if (m->unfreed_bytes > m->peak_bytes)
		m->peak_bytes = m->unfreed_bytes;
}
