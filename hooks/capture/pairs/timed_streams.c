#include "hooks/capture/pairs/timed_streams.h"
#include "hooks/capture/pairs/vendor_times.h"
#include "hooks/capture/streams/captures.h"
#include "hooks/capture/streams/streams.h"

/* In the table of streams, b: the pool in the low 32 bits; above, when it was last seen that no capture keeps its work. */
static uint32_t moment_now(const struct vendor_times *of)
{
	return captures_changes(of->streams) << 16 | (gate_epoch(gate_load()) & 0xffff) | 1u << 31;
}

_Atomic uint8_t *timed_streams_refusals(struct vendor_times *of, struct handle_slot *s)
{
	return &of->timed.refusals[atomic_load(&s->a) & (STREAMS - 1)];
}

/* A capture spreads to streams that wait for what it keeps: as long as there is any, each stream is asked. */
bool timed_streams_is_free(struct vendor_times *of, struct handle_slot *s, struct pairs_pool *pool, void *stream)
{
	uint32_t now = moment_now(of);

	if (captures_any(of->streams))
		return !captures_has(of->streams, stream) && pools_stream_free(of, pool, stream);
	if (atomic_load(&s->b) >> 32 == now)
		return true;
	if (!pools_stream_free(of, pool, stream))
		return false;
	atomic_store(timed_streams_refusals(of, s), 0);
	atomic_store(&s->b, (uint64_t)now << 32 | pools_number(of, pool));
	return true;
}

static bool is_handle(const struct vendor_times *of, const void *stream)
{
	return (uintptr_t)stream > of->streams->calls->last_special;
}

/* A default stream is another one in every context. */
struct pairs_pool *timed_streams_pool(struct vendor_times *of, struct handle_slot *s, void *stream)
{
	struct pairs_pool *known = is_handle(of, stream) ? pools_at(of, (uint32_t)atomic_load(&s->b)) : NULL;

	return known ? known : pools_here(of);
}

struct handle_slot *timed_streams_known(struct vendor_times *of, void *stream)
{
	return handles_get(&of->streams->table, contexts_key(of->streams, stream));
}

/* One that nobody saw being made may be none, as long as no call that was given it has succeeded; a default one always is. */
struct handle_slot *timed_streams_to_time(struct vendor_times *of, void *stream)
{
	struct handle_slot *s = timed_streams_known(of, stream);

	if (s || is_handle(of, stream) || !pools_here(of))
		return s;
	streams_new(of->streams, stream);
	return timed_streams_known(of, stream);
}
