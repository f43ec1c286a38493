/*
 * short_launch.h - rows of launches once more: like one that this thread made lately. Stream and sizes are looked at when the call has
 * succeeded. For a vendor that has its SHORT_WAYS, behind the rows' functions and before the rows.
 */
#pragma once
#include "hooks/capture/runtime/short_ways.h"

/*
 * Not like one before: does all that the row says, and learns from it. real: NULL: the one that is meant by a call from there, which has a
 * place in call_sites[] of its own, or has none.
 */
#define MISSED_LAUNCH(sym, params, args, function, handle, grid, block, shared)                                                         \
	static NOINLINE STATUS missed_##sym(void *real, const void *caller LIST params)                                                 \
	{                                                                                                                               \
		uint64_t now = launch_cache_now();                                                                                      \
		STATUS rc;                                                                                                              \
                                                                                                                                        \
		UNWINDS;                                                                                                                \
		if (!real)                                                                                                              \
			real = hook_resolve(HOOK_##sym, caller);                                                                        \
		producer.provider = real;                                                                                               \
		rc = body_##sym(real, caller LIST args);                                                                                \
		if (!rc && !short_way_leads(short_way_of(function), HOOK_##sym, real) && !IS_PART(HOOK_##sym, caller))                  \
			short_way_learn(&SHORT_WAYS, &(struct learnt){ HOOK_##sym, function, handle, grid, block, shared, real, now }); \
		return rc;                                                                                                              \
	}

/* As it is called by who has no more arguments than it: for more there has to be room before the launch. */
#define MISSED_ALONE(sym, params, args)                                     \
	static NOINLINE STATUS missed_alone_##sym params                    \
	{                                                                   \
		UNWINDS;                                                    \
		return missed_##sym(hook_real(HOOK_##sym), NULL LIST args); \
	}

/* meant: the function that this call leads to. missed: what is returned where no launch like this is known. */
#define SHORT_FUNCTION(declared, meant, missed, sym, params, args, function, handle, grid, block, shared)                     \
	STATUS declared;                                                                                                      \
	STATUS declared                                                                                                       \
	{                                                                                                                     \
		struct launch *l;                                                                                             \
		STATUS(*real)                                                                                                 \
		params;                                                                                                       \
		uint64_t begin, ticks;                                                                                        \
		STATUS rc;                                                                                                    \
                                                                                                                              \
		UNWINDS;                                                                                                      \
		begin = record_clock(&producer);                                                                              \
		record_turn(&producer, EV_LAUNCH);                                                                            \
		l = short_way_of(function);                                                                                   \
		real = meant;                                                                                                 \
		if (UNLIKELY(!short_way_leads(l, HOOK_##sym, real))) {                                                        \
			record_turn_back(&producer);                                                                          \
			return missed;                                                                                        \
		}                                                                                                             \
		record_begin(&producer, HOOK_##sym, begin);                                                                   \
		rc = real args;                                                                                               \
		begin = record_begun(producer.ring);                                                                          \
		ticks = clock_raw() - begin;                                                                                  \
		if (LIKELY(!rc && short_way_is(l, handle, grid, block)) && LIKELY(short_way_end(l, begin, ticks)))            \
			return rc;                                                                                            \
		if (rc)                                                                                                       \
			short_way_failed(&SHORT_WAYS, l, rc, begin, ticks);                                                   \
		else                                                                                                          \
			short_way_differs(&SHORT_WAYS, l, &(struct short_call){ begin, ticks, handle, grid, block, shared }); \
		return rc;                                                                                                    \
	}

/* Of the only library that has such a function; of several the one that a call from here leads to; or the one that a trampoline brings. */
#define SHORT_LAUNCH(sym, params, args, ...)                                                                  \
	MISSED_LAUNCH(sym, params, args, __VA_ARGS__)                                                         \
	MISSED_ALONE(sym, params, args)                                                                       \
	SHORT_FUNCTION(short_##sym params, hook_real(HOOK_##sym), missed_alone_##sym args, sym, params, args, \
		       __VA_ARGS__)                                                                           \
	SHORT_FUNCTION(FROM_HERE(short_here_##sym, params), call_site_get(HOOK_##sym, CALLER),                \
		       missed_##sym(NULL, CALLER LIST args), sym, params, args, __VA_ARGS__)                  \
	OF_TRAMPOLINES(SHORT_FUNCTION(short_given_##sym(aside given LIST params), aside_address(given),       \
				      missed_##sym(aside_address(given), __builtin_return_address(0) LIST args), sym, params, args, __VA_ARGS__))

/* An argument is read where it stands: in a register until it is wanted it would cost each launch an instruction. */
#define STANDING(argument)                 \
	({                                 \
		__asm__(""                 \
			: "+m"(argument)); \
		argument;                  \
	})
#define OF_LAUNCH(handle, function, grid, block, shared)	  function, handle, grid, block, STANDING(shared)
#define OF_LAUNCH_CONFIG(whose, structure, stream, function, ...) function, whose((structure)->stream), __VA_ARGS__
#define SHORT_LAUNCH_OF(...)					  SHORT_LAUNCH(__VA_ARGS__)

#undef HOOK
#define HOOK(ret, sym, params, args, capture) SHORT_LAUNCH_OF(sym, params, args, OF_##capture)
