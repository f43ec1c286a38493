/*
 * short_launch.h - rows of launches once more: like one that this thread made lately. Stream and sizes are looked at when the call has
 * succeeded. For a vendor that has its SHORT_WAYS, behind the rows' functions and before the rows.
 */
#pragma once
#include "hooks/capture/runtime/short_ways.h"

#define SHORT_LAUNCH(sym, params, args, function, handle, grid, block, shared)                                                          \
	static NOINLINE STATUS missed_##sym params                                                                                      \
	{                                                                                                                               \
		void *real = hook_real(HOOK_##sym);                                                                                     \
		uint64_t now = launch_cache_now();                                                                                      \
		STATUS rc;                                                                                                              \
                                                                                                                                        \
		UNWINDS;                                                                                                                \
		if (!real)                                                                                                              \
			real = hook_resolve(HOOK_##sym, NULL);                                                                          \
		rc = body_##sym(real, NULL LIST args);                                                                                  \
		if (!rc)                                                                                                                \
			short_way_learn(&SHORT_WAYS, &(struct learnt){ HOOK_##sym, function, handle, grid, block, shared, real, now }); \
		return rc;                                                                                                              \
	}                                                                                                                               \
	STATUS short_##sym params;                                                                                                      \
	STATUS short_##sym params                                                                                                       \
	{                                                                                                                               \
		struct launch *l = short_way_of(function);                                                                              \
		STATUS(*real)                                                                                                           \
		params;                                                                                                                 \
		uint64_t begin, ticks;                                                                                                  \
		STATUS rc;                                                                                                              \
                                                                                                                                        \
		UNWINDS;                                                                                                                \
		if (UNLIKELY(!l || (uint16_t)l->names != HOOK_##sym))                                                                   \
			return missed_##sym args;                                                                                       \
		real = l->real;                                                                                                         \
		record_begin(&producer, HOOK_##sym, EV_LAUNCH);                                                                         \
		rc = real args;                                                                                                         \
		begin = record_begun(producer.ring);                                                                                    \
		ticks = clock_raw() - begin;                                                                                            \
		if (LIKELY(!rc && short_way_is(l, handle, grid, block)) && LIKELY(short_way_end(l, begin, ticks)))                      \
			return rc;                                                                                                      \
		if (rc)                                                                                                                 \
			short_way_failed(&SHORT_WAYS, l, rc, begin, ticks);                                                             \
		else                                                                                                                    \
			short_way_differs(&SHORT_WAYS, l, &(struct short_call){ begin, ticks, handle, grid, block, shared });           \
		return rc;                                                                                                              \
	}

/* An argument is read where it stands: in a register until it is wanted it would cost each launch an instruction. */
#define STANDING(argument)                 \
	({                                 \
		__asm__(""                 \
			: "+m"(argument)); \
		argument;                  \
	})
#define OF_LAUNCH(handle, function, grid, block, shared) function, handle, grid, block, STANDING(shared)
#define OF_LAUNCH_CONFIG(whose, handle, function, ...)	 function, whose(handle), __VA_ARGS__
#define SHORT_LAUNCH_OF(...)				 SHORT_LAUNCH(__VA_ARGS__)

#undef HOOK
#define HOOK(ret, sym, params, args, capture) SHORT_LAUNCH_OF(sym, params, args, OF_##capture)
