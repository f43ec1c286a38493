/* captures.h - streams whose work is kept as a graph, by what the program itself has begun and ended. */
#pragma once
#include "hooks/capture/streams/contexts.h"

/* What is given to the stream from here on is kept, or changes what was kept: it runs later. */
void captures_begin(struct streams *of, void *stream);
void captures_end(struct streams *of, void *stream);

/* The stream ends, maybe in the middle of one. */
void captures_stream_ends(struct streams *of, void *stream);

/* The same of a context, with all its streams. */
void captures_context_ends(struct streams *of, const void *context);

ALWAYS_INLINE bool captures_any(const struct streams *of)
{
	return atomic_load_explicit(&of->capturing, memory_order_relaxed) > 0;
}

bool captures_has(struct streams *of, void *stream);

/* Counts up at every begin and end. */
uint32_t captures_changes(const struct streams *of);
