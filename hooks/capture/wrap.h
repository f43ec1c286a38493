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
#include "hooks/link/call_sites.h"
#include "hooks/link/resolve.h"
#include "hooks/link/trampoline.h"
#include "hooks/link/wrapper_for.h"
#include "hooks/capture/unwritten.h"
#include "hooks/capture/words.h"

#define LIST(...) __VA_OPT__(, ) __VA_ARGS__

/* A vendor may know of rows whose calls by its own libraries are always part of another call. */
#ifndef IS_PART
#define IS_PART(hook, caller) false
#endif

/* Where a vendor's rows with a short way have none where several libraries define them. */
#ifndef WAY_FROM_HERE
#define WAY_FROM_HERE "slow_"
#define WAY_GIVEN     "through_"
#endif

/* A vendor may have more answers than 0 that are no failure. */
#ifndef IS_GOOD
#define IS_GOOD(rc) ((rc) == 0)
#endif

/* Recorded, nested, or only counted as seen: the questions every row asks before the call. */
ALWAYS_INLINE bool enter(struct call *c, unsigned int hook, unsigned int kind, const void *caller, bool is_part)
{
	uint64_t word = gate_load();

	if (UNLIKELY(is_part || (record_inside(producer.inside) & (record_inside_kind(kind) | INSIDE_AGENT) && hook_called_by_vendor(hook, caller)))) {
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
 * What a body does for every row stands in it, as a call would cost what some calls cost. Of libraries with hundreds of rows, which are
 * operators and the like, it would be most of the library: they define ROWS_ARE_MANY.
 */
#ifdef ROWS_ARE_MANY
static NOINLINE bool body_enter(struct call *c, unsigned int hook, unsigned int kind, const void *caller, bool is_part)
{
	return enter(c, hook, kind, caller, is_part);
}
static NOINLINE void body_stop(struct call *c)
{
	record_stop(c);
}
static NOINLINE void body_leave(struct call *c)
{
	record_leave(c);
}
#else
#define body_enter enter
#define body_stop  record_stop
#define body_leave record_leave
#endif

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
		c.recording = body_enter(&c, hook, kind, caller, IS_PART(hook, caller));	\
		if (c.recording)							\
			PART(WANT, capture)						\
		CALL;									\
		if (c.recording)							\
			body_stop(&c);						\
		else if (UNLIKELY(c.left_out))						\
			record_skipped_end(c.left_out);							\
		ok = GOOD;								\
		if (ok)									\
			PART(KEEP, capture)						\
		if (c.recording) {							\
			c.result = ok ? 0 : CODE;					\
			PART(CAPTURE, capture)						\
			body_leave(&c);						\
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
/*
 * The short way of launches, whose kernel is in a vendor's table: between windows only the step clock is interested in a launch,
 * and only in one that is not like the last, by the bit of the table's word that says whether a kernel: source waits for it. The
 * kernel is the first argument (ROW_KERNEL_FIRST) or the second. handles_peek() in other words. ready: what is done where the
 * thread has a ring for this word of the gate; go: where nobody would look at the launch.
 */
#define SHORT_WAY_OF_LAUNCHES(table, matches_bit, ready, slow, go)			\
	"movq gate(%%rip), %%rax\n\t"							\
	"movq producer@gottpoff(%%rip), %%r10\n\t"					\
	"cmpq %%rax, %%fs:%c[ready](%%r10)\n\t"						\
	"jne 3f\n\t"									\
	ready										\
	"3:\n\t"									\
	"andl %[window_or_clock], %%eax\n\t"						\
	"cmpl %[clock], %%eax\n\t"							\
	"jne " slow "\n\t"								\
	"movabsq %[factor], %%rax\n\t"							\
	".if %c[kernel_first]\n\t"							\
	"imulq %%rdi, %%rax\n\t"							\
	".else\n\t"									\
	"imulq %%rsi, %%rax\n\t"							\
	".endif\n\t"									\
	"shrq %[shift], %%rax\n\t"							\
	"andq " table "+%c[mask](%%rip), %%rax\n\t"					\
	"movq " table "+%c[slots](%%rip), %%r10\n\t"					\
	"testq %%r10, %%r10\n\t"							\
	"je " slow "\n\t"								\
	"addq %%rax, %%r10\n\t"								\
	".if %c[kernel_first]\n\t"							\
	"leaq 1(%%rdi), %%rax\n\t"							\
	".else\n\t"									\
	"leaq 1(%%rsi), %%rax\n\t"							\
	".endif\n\t"									\
	"cmpq %%rax, %c[alive](%%r10)\n\t"						\
	"jne " slow "\n\t"								\
	"movq %c[a](%%r10), %%rax\n\t"							\
	"shrq $" TEXT_OF(matches_bit) ", %%rax\n\t"					\
	"xorl launch_cache_stamp(%%rip), %%eax\n\t"					\
	"testb $1, %%al\n\t"								\
	"jne " slow "\n\t"								\
	go
#define TEXT_OF(macro)	TEXT_OF_(macro)
#define TEXT_OF_(text)	#text
/* A function that is told where it is called from, by CALLER. */
#define FROM_HERE(name, params) name params
#define CALLER	__builtin_return_address(0)
#define DORMANT(ret, sym, params, args, interests)					\
	EXPORT __attribute__((naked, aligned(64))) BARE ret sym params				\
	{										\
		__asm__("movl gate(%%rip), %%eax\n\t"					\
			"movq hook_slots+%c0(%%rip), %%r11\n\t"				\
			"andl %1, %%eax\n\t"						\
			"cmpl %2, %%eax\n\t"						\
			".if %c3\n\t"							\
			"jne 1f\n\t"							\
			".else\n\t"							\
			"jne slow_" #sym "\n\t"						\
			".endif\n\t"							\
			"testq %%r11, %%r11\n\t"					\
			"je 2f\n\t"							\
			"jmp *%%r11\n"							\
			"2:\n\t"								\
			"leaq slow_" #sym "(%%rip), %%r11\n\t"				\
			"movl %[hook], %%eax\n\t"					\
			"movq %%r11, -8(%%rsp)\n\t"					\
			"jmp call_site_go\n\t"						\
			".if %c3\n"							\
			"1:\n\t"								\
			SHORT_WAY("testq %%r11, %%r11\n\t"				\
				  "jne short_" #sym "\n\t"				\
				  "jmp " WAY_FROM_HERE #sym "\n", "slow_" #sym,	\
				  "testq %%r11, %%r11\n\t"				\
				  "je 2b\n\t"						\
				  "jmp *%%r11\n\t")					\
			".endif"							\
			: : "i"(HOOK_##sym * sizeof(struct hook_slot) +			\
				offsetof(struct hook_slot, real)),			\
			    "i"((interests) | GATE_STARTED), "i"(GATE_STARTED),		\
			    "i"((interests) & ROW_SHORT), [hook] "i"(HOOK_##sym),	\
			    [kernel_first] "i"(!!((interests) & ROW_KERNEL_FIRST)),	\
			    SHORT_WAY_MAY_NAME);					\
	}
/* Where a trampoline comes in: the real function is in xmm0. */
#define TRAMPOLINE_IN(ret, sym, params, interests)					\
	__attribute__((naked)) BARE ret trampoline_##sym(aside given LIST params)		\
	{										\
		__asm__(".if %c0\n\t"							\
			"movq %%xmm0, %%r11\n\t"					\
			SHORT_WAY("jmp " WAY_GIVEN #sym "\n", "through_" #sym, "jmp *%%r11\n\t")	\
			".endif\n\t"							\
			"jmp through_" #sym							\
			: : "i"((interests) & ROW_SHORT),				\
			    [kernel_first] "i"(!!((interests) & ROW_KERNEL_FIRST)),	\
			    SHORT_WAY_MAY_NAME);					\
	}
#else
#define TRAMPOLINE_IN(ret, sym, params, interests)					\
	ret trampoline_##sym(aside given LIST params) __attribute__((alias("through_" #sym)));
#define FROM_HERE(name, params) name(aside caller_aside LIST params)
#define CALLER	aside_address(caller_aside)
#define DORMANT(ret, sym, params, args, interests)					\
	extern ret short_##sym params __attribute__((weak));				\
	extern ret FROM_HERE(short_here_##sym, params) __attribute__((weak));		\
	EXPORT ret sym params								\
	{										\
		ret (*real) params = hook_real(HOOK_##sym);				\
											\
		if (LIKELY(gate_shut(interests))) {						\
			if (UNLIKELY(!real))						\
				real = call_site_get(HOOK_##sym, __builtin_return_address(0)); \
			if (LIKELY(real))						\
				return real args;					\
		}									\
		if ((interests) & ROW_SHORT && producer.ready == gate_load()) {			\
			if (hook_real(HOOK_##sym))						\
				return short_##sym args;				\
			if (short_here_##sym)						\
				return short_here_##sym(aside_of(__builtin_return_address(0)) LIST args); \
		}									\
		return slow_##sym(aside_of(__builtin_return_address(0)) LIST args);	\
	}
#endif

/* The exported function, and the slow path behind it. */
#define ENTRANCE(ret, sym, params, args, capture, missing)				\
	EXPORT ret sym params;								\
	static __attribute__((noinline, used)) ret FROM_HERE(slow_##sym, params)	\
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
	extern ret own_##sym params __attribute__((alias(#sym), visibility("hidden")));

/* Both, and the way in for trampolines of a second provider, who reads what opens it. */
#define FUNCTIONS(ret, sym, params, args, capture, missing)				\
	ENTRANCE(ret, sym, params, args, capture, missing)				\
	extern const uint32_t opens_##sym OURS;						\
	const uint32_t opens_##sym = (OPENS_##capture) | GATE_STARTED;		\
	static __attribute__((noinline, used)) ret through_##sym(aside given LIST params)	\
	{										\
		ret (*real) params = aside_address(given);				\
											\
		UNWINDS;								\
		if (UNLIKELY(!gate_load() || !hook_defined(HOOK_##sym)))		\
			hook_resolve(HOOK_##sym, __builtin_return_address(0));		\
		producer.provider = real;						\
		return body_##sym(real, __builtin_return_address(0) LIST args);	\
	}										\
	ret trampoline_##sym(aside given LIST params);					\
	TRAMPOLINE_IN(ret, sym, params, OPENS_##capture)

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
	BODY(ret, sym, params, capture, ret rc, rc = real args, IS_GOOD(rc), rc, return rc)	\
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

/* Numbers come where a trampoline has its aside: there is none, and a second provider is not wrapped. */
#define HOOK_DOUBLE(ret, sym, params, args, capture)					\
	BODY(ret, sym, params, capture, ret rc, rc = real args, IS_GOOD(rc), rc, return rc)	\
	ENTRANCE(ret, sym, params, args, capture, return HOOK_MISSING)

#define HOOK_DOUBLE_VOID(sym, params, args, capture)					\
	BODY(void, sym, params, capture, , real args, true, 0, return)			\
	ENTRANCE(void, sym, params, args, capture, return)

#define HOOK_CUSTOM(ret, sym, params, args, capture)					\
	ret custom_##sym(ret (*real) params LIST params);				\
	BODY(ret, sym, params, capture, ret rc, rc = custom_##sym(real LIST args),	\
	     IS_GOOD(rc), rc, return rc)							\
	FUNCTIONS(ret, sym, params, args, capture, return HOOK_MISSING)

#define HOOK_CUSTOM_PTR(ret, sym, params, args, capture)				\
	ret custom_##sym(ret (*real) params LIST params);				\
	BODY(ret, sym, params, capture, OWN_ERR; ret rc,				\
	     CALL_PTR(custom_##sym(real LIST args)), rc != NULL, CODE_PTR, RETURN_PTR) \
	FUNCTIONS(ret, sym, params, args, capture, if (err) *err = HOOK_MISSING; return NULL)

/*
 * Told before a program begins, maybe, and often: passes the call on when `what` is done, starts nothing, and has no event. What
 * is done takes no time, and no memory of libc's.
 */
#define HOOK_QUIET(sym, params, args, what)						\
	ALWAYS_INLINE void body_##sym(void (*real) params LIST params)			\
	{										\
		what;									\
		if (real)								\
			real args;							\
	}										\
	EXPORT void sym params;								\
	EXPORT void sym params								\
	{										\
		void (*real) params = hook_real(HOOK_##sym);				\
											\
		if (UNLIKELY(!real))							\
			real = hook_look_up(HOOK_##sym, __builtin_return_address(0));	\
		body_##sym(real LIST args);						\
	}										\
	extern void own_##sym params __attribute__((alias(#sym), visibility("hidden")));	\
	extern const uint32_t opens_##sym OURS;						\
	const uint32_t opens_##sym = 0; /* always */				\
	void trampoline_##sym(aside given LIST params);					\
	void trampoline_##sym(aside given LIST params)					\
	{										\
		void (*real) params = aside_address(given);				\
											\
		body_##sym(real LIST args);						\
	}

#define HOOK_AS(sym, kind)
#define HOOK_ANY(...)

/* DORMANT passes its parameters on without naming them. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wstrict-prototypes" /* a row without parameters says () */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
