/*
 * wrap.h - a reading of the rows: every line becomes an exported function. Included once for each vendor, between its
 * types and words (hooks/<vendor>/words.h) and its rows.
 *
 * The exported function is the dormant path: one load, one test, a tail call. Everything else is one
 * call deeper, and does what the row's capture word says (words.h). The vendor also says what its status
 * codes are (STATUS), and what more its words want to know while a call lasts (LOCALS).
 */
#pragma once
#include "agent/format/trace_file.h"
#include "agent/record/handles.h"
#include "agent/record/record.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "hooks/link/resolve.h"
#include "hooks/link/trampoline.h"
#include "hooks/link/wrapper_for.h"
#include "hooks/capture/unwritten.h"
#include "hooks/capture/words.h"

#define LIST(...) __VA_OPT__(, ) __VA_ARGS__

/* Recorded, nested, or only counted as seen: the questions every row asks before the call. */
ALWAYS_INLINE bool enter(struct call *c, unsigned int hook, unsigned int kind, const void *caller)
{
	uint64_t word = gate_load();

	if (UNLIKELY(record_inside(producer.inside) & (record_inside_kind(kind) | INSIDE_AGENT)) && hook_called_by_vendor(hook, caller)) {
		if (!(word & GATE_NESTED) || producer.inside & INSIDE_AGENT) /* what we ask of it is not the program's */
			return false;
		c->recording = record_enter(c, word, hook, kind);
		c->nested = true;
		return c->recording;
	}
	if (LIKELY(word & gate_kind(kind)))
		return record_enter(c, word, hook, kind);
	if (kind < EV_KINDS && word & GATE_WINDOW && !(producer.left_out == kind + 1 && hook_called_by_vendor(hook, caller))) {
		atomic_fetch_add_explicit(&session->unrecorded[hook], 1, memory_order_relaxed);
		c->left_out = record_skipped_begin(hook, kind);
	}
	return false;
}

/*
 * An exception of the program's callbacks may pass through us, or a cancellation: C has no way of being told,
 * the unwinder has.
 */
#define UNWINDS	__asm__ volatile(".cfi_personality 0x1b, record_unwound")

/* A vendor of many rows has one body for both ways in, at the price of a call: it defines BODY_CALLED. */
#ifdef BODY_CALLED
#define BODY_IS	    static NOINLINE
#define BODY_BEGINS UNWINDS
#else
#define BODY_IS	    ALWAYS_INLINE
#define BODY_BEGINS (void)0
#endif

/* One body for every form of row. */
#define BODY(ret, sym, params, capture, DECLARE, CALL, GOOD, CODE, RETURN)		\
	BODY_IS ret body_##sym(ret (*real) params, const void *caller LIST params) \
	{										\
		struct call c;	/* the rest is set by record_enter(): this is no place for zeros */	\
		unsigned int hook = HOOK_##sym, kind = KIND_OF(KIND_##capture);		\
		LOCALS									\
		bool ok;								\
											\
		BODY_BEGINS;								\
		c.timed = false;							\
		c.left_out = 0;							\
		DECLARE;									\
		PART(CLOCK, capture)							\
		c.recording = enter(&c, hook, kind, caller);				\
		if (c.recording)							\
			PART(WANT, capture)						\
		CALL;									\
		if (c.recording)							\
			record_stop(&c);						\
		else if (UNLIKELY(c.left_out))						\
			record_skipped_end(c.left_out);							\
		ok = GOOD;								\
		if (ok)									\
			PART(KEEP, capture)						\
		if (c.recording) {							\
			c.result = ok ? 0 : CODE;					\
			PART(CAPTURE, capture)						\
			record_leave(&c);						\
		}									\
		PART(AFTER, capture)							\
		RETURN;									\
	}

/*
 * The dormant path. A compiler that is told to pass nine arguments on copies those on the stack over
 * themselves, here and again in the slow path; so where we can say it in five lines we do. The
 * registers used are nobody's at a call. The slow path is jumped to: it returns to our caller. In one
 * line of the instruction cache: the same eight instructions cost twice as much across two.
 */
#if defined(__x86_64__) && !defined(__ILP32__)
/* What a vendor's SHORT_WAY asks of the gate and of a table of handles. */
#define SHORT_WAY_MAY_NAME								\
	[window_or_clock] "i"(GATE_WINDOW | GATE_CLOCK | GATE_TIME), [clock] "i"(GATE_CLOCK),	\
	[ready] "i"(offsetof(struct producer, ready)),					\
	[slots] "i"(offsetof(struct handles, slots)),					\
	[mask] "i"(offsetof(struct handles, mask)),					\
	[factor] "i"(HANDLES_FACTOR), [shift] "i"(HANDLES_SHIFT),			\
	[alive] "i"(offsetof(struct handle_slot, alive)),				\
	[a] "i"(offsetof(struct handle_slot, a))
#define SLOW(sym, params) slow_##sym params
#define CALLER	__builtin_return_address(0)
#define DORMANT(ret, sym, params, args, interests)					\
	EXPORT __attribute__((naked, aligned(64))) BARE ret sym params				\
	{										\
		__asm__("movq hook_slots+%c0(%%rip), %%r11\n\t"				\
			"movl gate(%%rip), %%eax\n\t"					\
			"testq %%r11, %%r11\n\t"					\
			"je slow_" #sym "\n\t"						\
			"andl %1, %%eax\n\t"						\
			"cmpl %2, %%eax\n\t"						\
			".if %c3\n\t"							\
			"jne 1f\n\t"							\
			"jmp *%%r11\n"							\
			"1:\n\t" SHORT_WAY("short_" #sym, "slow_" #sym)			\
			".else\n\t"							\
			"jne slow_" #sym "\n\t"						\
			"jmp *%%r11\n\t"						\
			".endif"							\
			: : "i"(HOOK_##sym * sizeof(struct hook_slot) +			\
				offsetof(struct hook_slot, real)),			\
			    "i"((interests) | GATE_STARTED), "i"(GATE_STARTED),		\
			    "i"((interests) & ROW_SHORT), SHORT_WAY_MAY_NAME);		\
	}
#else
#define SLOW(sym, params) slow_##sym(aside caller_aside LIST params)
#define CALLER	aside_address(caller_aside)
#define DORMANT(ret, sym, params, args, interests)					\
	extern ret short_##sym params __attribute__((weak));				\
	EXPORT ret sym params								\
	{										\
		ret (*real) params = hook_real(HOOK_##sym);				\
											\
		if (LIKELY(real && gate_shut(interests)))				\
			return real args;						\
		if ((interests) & ROW_SHORT && real && producer.ready == gate_load())	\
			return short_##sym args;					\
		return slow_##sym(aside_of(__builtin_return_address(0)) LIST args);	\
	}
#endif

/* The exported function, the way in for trampolines of a second provider, and the slow path between. */
#define FUNCTIONS(ret, sym, params, args, capture, missing)				\
	EXPORT ret sym params;								\
	static __attribute__((noinline, used)) ret SLOW(sym, params)			\
	{										\
		const void *caller = CALLER;						\
		UNWINDS;								\
		ret (*real) params = hook_real(HOOK_##sym);				\
											\
		if (UNLIKELY(!real || !gate_load()))					\
			real = hook_resolve(HOOK_##sym, caller);			\
		if (UNLIKELY(!real)) {							\
			missing;							\
		}									\
		return body_##sym(real, caller LIST args);				\
	}										\
	DORMANT(ret, sym, params, args, OPENS_##capture)					\
	extern ret own_##sym params __attribute__((alias(#sym), visibility("hidden")));	\
	ret trampoline_##sym(aside given LIST params);					\
	ret trampoline_##sym(aside given LIST params)					\
	{										\
		ret (*real) params = aside_address(given);				\
											\
		UNWINDS;								\
		if (UNLIKELY(!gate_load() || !hook_defined(HOOK_##sym)))		\
			hook_resolve(HOOK_##sym, __builtin_return_address(0));		\
		producer.provider = real;						\
		return body_##sym(real, __builtin_return_address(0) LIST args);	\
	}

/*
 * While we record, the runtime writes its status to a place of ours: the program's may be none, and is
 * not read before somebody wrote there.
 */
#define OWN_ERR		STATUS own_err = UNWRITTEN, *const given_err = err
#define CALL_PTR(call)	if (c.recording) err = &own_err; rc = call
#define CODE_PTR	own_err && own_err != UNWRITTEN ? own_err : -1
#define RETURN_PTR									\
	if (err == &own_err && given_err && own_err != UNWRITTEN)			\
		*given_err = own_err;							\
	return rc

#define HOOK(ret, sym, params, args, capture)						\
	BODY(ret, sym, params, capture, ret rc, rc = real args, rc == 0, rc, return rc)	\
	FUNCTIONS(ret, sym, params, args, capture, return HOOK_MISSING)

#define HOOK_PTR(ret, sym, params, args, capture)					\
	BODY(ret, sym, params, capture, OWN_ERR; ret rc, CALL_PTR(real args),		\
	     rc != NULL, CODE_PTR, RETURN_PTR)						\
	FUNCTIONS(ret, sym, params, args, capture, if (err) *err = HOOK_MISSING; return NULL)

#define HOOK_PTR0(ret, sym, params, args, capture)					\
	BODY(ret, sym, params, capture, ret rc, rc = real args, rc != NULL, -1, return rc)	\
	FUNCTIONS(ret, sym, params, args, capture, return NULL)

#define HOOK_VALUE(ret, sym, params, args, capture)					\
	BODY(ret, sym, params, capture, ret rc, rc = real args, true, 0, return rc)	\
	FUNCTIONS(ret, sym, params, args, capture, return (ret)0)

/* A question: no event, and no word but the answer. Outside of windows the real function's own. */
#define HOOK_ANSWER(ret, sym, params, args, answer)					\
	BODY_IS ret body_##sym(ret (*real) params, const void *caller LIST params)	\
	{										\
		(void)caller;								\
		return answer;								\
	}										\
	FUNCTIONS(ret, sym, params, args, ANSWER(), return (ret)0)

#define HOOK_VOID(sym, params, args, capture)						\
	BODY(void, sym, params, capture, , real args, true, 0, return)			\
	FUNCTIONS(void, sym, params, args, capture, return)

#define HOOK_CUSTOM(ret, sym, params, args, capture)					\
	ret custom_##sym(ret (*real) params LIST params);				\
	BODY(ret, sym, params, capture, ret rc, rc = custom_##sym(real LIST args),	\
	     rc == 0, rc, return rc)							\
	FUNCTIONS(ret, sym, params, args, capture, return HOOK_MISSING)

#define HOOK_CUSTOM_PTR(ret, sym, params, args, capture)				\
	ret custom_##sym(ret (*real) params LIST params);				\
	BODY(ret, sym, params, capture, OWN_ERR; ret rc,				\
	     CALL_PTR(custom_##sym(real LIST args)), rc != NULL, CODE_PTR, RETURN_PTR) \
	FUNCTIONS(ret, sym, params, args, capture, if (err) *err = HOOK_MISSING; return NULL)

#define HOOK_AS(sym, kind)
#define HOOK_ANY(...)

/* DORMANT passes its parameters on without naming them. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wstrict-prototypes" /* a row without parameters says () */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
