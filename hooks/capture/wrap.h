/*
 * wrap.h - a reading of the rows: every line becomes an exported function. Included once for each vendor, between its
 * types and words (hooks/<vendor>/words.h) and its rows.
 *
 * The exported function is the dormant path (entrance.h): one load, one test, a tail call. Everything else is one
 * call deeper, and does what the row's capture word says (words.h). The vendor also says what its status
 * codes are (STATUS), and what more its words want to know while a call lasts (LOCALS).
 */
#pragma once
#include "agent/format/trace_file.h"
#include "agent/record/record.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "hooks/link/wrapper_for.h"
#include "hooks/capture/entrance.h"
#include "hooks/capture/unwritten.h"
#include "hooks/capture/words.h"

/* A vendor may know of rows whose calls by its own libraries are always part of another call. */
#ifndef IS_PART
#define IS_PART(hook, caller) false
#endif

/* A vendor may have more answers than 0 that are no failure. */
#ifndef IS_GOOD
#define IS_GOOD(rc) ((rc) == 0)
#endif

/*
 * Recorded, nested, or only counted as seen: the questions every row asks before the call. Whoever tells where the thread is, should a
 * call hang that is only counted, tells of its end, too: see c->left_out.
 */
ALWAYS_INLINE bool enter_and_tell(struct call *c, unsigned int hook, unsigned int kind, const void *caller, bool is_part, bool tell)
{
	uint64_t word = gate_load();

	if (kind >= EV_KINDS)
		return false;
	if (UNLIKELY(is_part || (record_inside(producer.inside) & (record_inside_kind(kind) | INSIDE_AGENT) && hook_called_by_vendor(hook, caller)))) {
		if (!(word & GATE_NESTED) || producer.inside & INSIDE_AGENT) /* what we ask of it is not the program's */
			return false;
		c->recording = record_enter(c, word, hook, kind);
		c->nested = true;
		return c->recording;
	}
	if (LIKELY(word & gate_kind(kind)))
		return record_enter(c, word, hook, kind);
	if (word & GATE_WINDOW && !(producer.left_out == kind + 1 && hook_called_by_vendor(hook, caller))) {
		atomic_fetch_add_explicit(&session->unrecorded[hook], 1, memory_order_relaxed);
		if (tell)
			c->left_out = record_skipped_begin(hook, kind);
	}
	return false;
}

ALWAYS_INLINE bool enter(struct call *c, unsigned int hook, unsigned int kind, const void *caller, bool is_part)
{
	return enter_and_tell(c, hook, kind, caller, is_part, true);
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
