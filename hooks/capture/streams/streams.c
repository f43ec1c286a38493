#include "hooks/capture/streams/streams.h"
#include "agent/record/launch_cache.h"
#include "hooks/capture/devices.h"

void streams_new(struct streams *of, void *stream)
{
	uint32_t device;

	if (!gate_may_record())
		return;
	device = contexts_device(of);
	handles_put(&of->table, contexts_key(of, stream), stream_id((uintptr_t)stream, device, false), 0);
	launch_cache_void();
}

static bool is_special(const struct streams *of, const void *stream)
{
	return (uintptr_t)stream <= of->calls->last_special;
}

void streams_end(struct streams *of, const void *stream)
{
	struct handle_slot *s = is_special(of, stream) ? NULL : handles_get(&of->table, (uintptr_t)stream);

	if (!s)
		return;
	handles_forget(s);
	launch_cache_void();
}

void streams_remain(struct streams *of, const void *stream, uint16_t number)
{
	if (number && !is_special(of, stream))
		handles_put(&of->table, (uintptr_t)stream, number, 0);
}

uint16_t streams_number_slowly(struct streams *of, void *stream, bool good)
{
	struct handle_slot *s = handles_get(&of->table, contexts_key(of, stream));

	if (!s && good) {
		streams_new(of, stream); /* made on a road that we did not see */
		s = handles_get(&of->table, contexts_key(of, stream));
	}
	return s ? (uint16_t)atomic_load(&s->a) : 0;
}
