/*
 * contexts.h - contexts, each of which has a default stream of its own (NULL), and the table of streams that this makes
 * difficult. Where a program goes to one place alone nobody is asked for its context.
 */
#pragma once
#include "agent/record/handles.h"
#include "agent/record/record.h"
#include "hooks/ascend/abi/abi.h"

aclrtContext contexts_here(void); /* this thread's; NULL: it has none */

/* ---- streams: a = DEF_STREAM id, b = of time/streams.c ---- */

#define NO_STREAM      ((aclrtStream)-1) /* the call has none */
#define DEFAULT_STREAM 1		 /* in the table, for NULL in the first context */

extern struct contexts_streams {
	struct handles table;
	_Atomic bool several; /* contexts: NULL is another stream in each. In one line of memory with the table */
} __attribute__((aligned(32))) contexts_streams OURS;

uint64_t contexts_default_stream(void);

/* In the table of streams. */
ALWAYS_INLINE uint64_t contexts_stream_key(aclrtStream stream)
{
	if (LIKELY(stream))
		return (uintptr_t)stream;
	if (LIKELY(!atomic_load_explicit(&contexts_streams.several, memory_order_relaxed)))
		return DEFAULT_STREAM;
	return contexts_default_stream();
}

/* Before a thread goes to a context that there is, to the one that a device has of its own, or to a new one. */
#define PLACE_DEVICE(number)   ((uint64_t)(number) + 1)
#define PLACE_CONTEXT(context) ((uint64_t)(uintptr_t)(context))
#define PLACE_NEW	       0
void contexts_go_to(uint64_t place);

/* Before a context ends; NULL: those of a device. */
void contexts_end(aclrtContext context);

/* ---- devices ---- */

const char *contexts_device_name(int32_t number, char *text, size_t size);
uint32_t contexts_device(void); /* DEF_DEVICE id of the one that is this thread's; 0: not known */
uint32_t contexts_device_numbered(int32_t number);
