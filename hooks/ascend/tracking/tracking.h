/* tracking.h - what the Ascend rows need to know: streams, kernels, memory. */
#pragma once
#include "agent/record/handles.h"
#include "agent/record/record.h"
#include "agent/session/session.h"
#include "agent/steps/source_kernel.h"
#include "agent/steps/source_time.h"
#include "hooks/ascend/tracking/contexts.h"
#include "hooks/capture/interned_names.h"

/* ---- streams: contexts.h has their table ---- */

uint16_t ascend_stream_slowly(aclrtStream stream, bool good);

/* DEF_STREAM id. A stream that nobody saw being made gets one if the runtime took it (good), else 0. */
ALWAYS_INLINE uint16_t ascend_stream(aclrtStream stream, bool good)
{
	struct handle_slot *s;

	if (stream == NO_STREAM)
		return 0;
	s = handles_peek(&contexts_streams.table, contexts_stream_key(stream));
	return LIKELY(s) ? (uint16_t)atomic_load_explicit(&s->a, memory_order_relaxed) : ascend_stream_slowly(stream, good);
}

void ascend_new_stream(aclrtStream stream);
void ascend_end_stream(aclrtStream stream); /* before the real end */

/* ---- kernels: a = DEF_STRING id | FUNCTION_MATCHES, b = generation of the session ---- */

#define FUNCTION_MATCHES (1ull << 63) /* a kernel: step source waits for it */

extern struct handles ascend_functions OURS;

/* A handle, or a stub's address, stands for the kernel of this name; NULL: the runtime may know it. */
void ascend_new_function(const void *function, const char *name);

/* Tells a kernel: step source of a launch. */
void ascend_tick(const void *function);

ALWAYS_INLINE void ascend_clock(const void *function)
{
	if (UNLIKELY((uint32_t)gate_load() & GATE_CLOCK))
		ascend_tick(function);
}

uint64_t ascend_launch_slowly(const void *function, bool good, uint32_t dims, const size_t *blocks);

/* DEF_LAUNCH id of a kernel on so many blocks. Not good: the call failed, nothing that it was given may be looked at. */
ALWAYS_INLINE uint64_t ascend_launch(const void *function, bool good, uint32_t dims, const size_t *blocks)
{
	struct handle_slot *s = handles_peek(&ascend_functions, (uintptr_t)function);

	if (UNLIKELY(!s || !good || atomic_load_explicit(&s->b, memory_order_relaxed) != session_generation))
		return ascend_launch_slowly(function, good, dims, blocks);
	return launch_id(atomic_load_explicit(&s->a, memory_order_relaxed) & ~FUNCTION_MATCHES, dims, blocks, NULL);
}

/* DEF_LAUNCH id of an operator or kernel that the call itself names; NULL: it has no name. */
uint64_t ascend_named(const char *name);

/* ---- memory: a = bytes ---- */

void ascend_new_memory(const void *address, uint64_t bytes);
uint64_t ascend_end_memory(const void *address); /* before the real release; bytes given back */

uint64_t ascend_sum(const size_t *sizes, size_t n);

/* enum copy_direction of an aclrtMemcpyKind, or of an rtMemcpyKind_t. */
unsigned int ascend_direction(aclrtMemcpyKind kind);
unsigned int ascend_rt_direction(rtMemcpyKind_t kind);
