#include "hooks/ascend/time/streams.h"
#include "hooks/ascend/tracking/capture.h"

static _Atomic uint8_t refusals[STREAMS];

/* In the table of streams, b: the pool in the low 32 bits; above, when it was last seen that no capture keeps its work. */
static uint32_t moment_now(void)
{
	return capture_changes() << 16 | (gate_epoch(gate_load()) & 0xffff) | 1u << 31;
}

_Atomic uint8_t *streams_refusals(struct handle_slot *s)
{
	return &refusals[atomic_load(&s->a) & (STREAMS - 1)];
}

bool streams_is_free(struct handle_slot *s, struct pairs_pool *pool, aclrtStream stream)
{
	uint32_t now = moment_now();

	if (capture_any())
		return !capture_has(stream) && pools_stream_free(pool, stream);
	if (atomic_load(&s->b) >> 32 == now)
		return true;
	if (!pools_stream_free(pool, stream))
		return false;
	atomic_store(streams_refusals(s), 0);
	atomic_store(&s->b, (uint64_t)now << 32 | pools_number(pool));
	return true;
}

/* The default stream is another one in every context. */
struct pairs_pool *streams_pool(struct handle_slot *s, aclrtStream stream)
{
	struct pairs_pool *known = stream ? pools_at((uint32_t)atomic_load(&s->b)) : NULL;

	return known ? known : pools_here();
}

struct handle_slot *streams_known(aclrtStream stream)
{
	return handles_get(&contexts_streams.table, contexts_stream_key(stream));
}

/* One that nobody saw being made may be none, as long as no call that was given it has succeeded; the default one always is. */
struct handle_slot *streams_to_time(aclrtStream stream)
{
	struct handle_slot *s = streams_known(stream);

	if (s || stream || !pools_here())
		return s;
	ascend_new_stream(NULL);
	return streams_known(NULL);
}
