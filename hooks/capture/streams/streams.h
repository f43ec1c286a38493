/* streams.h - the numbers of a vendor's streams: contexts.h has their table. */
#pragma once
#include "hooks/capture/streams/contexts.h"

/* Made, as the vendor says: this thread's device is its own. */
void streams_new(struct streams *of, void *stream);

/* Before the real end; and where that failed. */
void streams_end(struct streams *of, const void *stream);
void streams_remain(struct streams *of, const void *stream, uint16_t number);

uint16_t streams_number_slowly(struct streams *of, void *stream, bool good);

/*
 * DEF_STREAM id. A stream that nobody saw being made gets one if the runtime took it (good), else 0. Both the table and last_special
 * (contexts.h) are known to the compiler.
 */
ALWAYS_INLINE uint16_t streams_number(struct streams *of, void *stream, uintptr_t last_special, bool good)
{
	struct handle_slot *s;

	if (stream == NO_STREAM)
		return 0;
	s = handles_peek(&of->table, contexts_stream_key(of, stream, last_special));
	return LIKELY(s) ? (uint16_t)atomic_load_explicit(&s->a, memory_order_relaxed) : streams_number_slowly(of, stream, good);
}
