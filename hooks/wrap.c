/*
 * wrap.c - third reading of the rows: every line becomes an exported function.
 *
 * The exported function is the dormant path: one load, one test, a tail call. Everything else is one
 * call deeper. A capture word has up to five parts, each a macro named PART_WORD below; parts that
 * a word does not need are nothing.
 *   CLOCK     before the call is entered: step sources and reference counts, may change hook and kind
 *   WANT      the call is recorded: ask the vendor for an event
 *   KEEP      the call succeeded: keep the books, recorded or not
 *   CAPTURE   fill in the event
 *   AFTER     the event is in the ring, or the call was not recorded
 */
#include "agent/agent.h"
#include "agent/record.h"
#include "agent/session.h"
#include "hooks/abi.h"
#include "hooks/opencl.h"
#include "hooks/resolve.h"
#include "hooks/thunk.h"
#include "hooks/words.h"

#define UNPAREN(...) __VA_ARGS__
#define BOOKS (GATE_BOOKS | GATE_WINDOW)

#define EV	c.event
#define TIMED(queue)		opencl_want(&c, queue, &event, &own_event)
#define HARVEST(queue)		opencl_harvest()

/* LAUNCH(queue, kernel, dimensions, global, local) */
#define OPENS_LAUNCH(...)	(GATE_WINDOW | GATE_CLOCK)
#define CLOCK_LAUNCH(queue, kernel, ...)	(known = opencl_kernel(kernel), opencl_clock(kernel, known))
#define WANT_LAUNCH(queue, ...)	TIMED(queue)
#define KEEP_LAUNCH(...)
#define CAPTURE_LAUNCH(queue, kernel, dims, global, local) \
	(EV.stream = opencl_stream(queue), EV.key = opencl_launch(kernel, known, ok ? dims : 0, global, local))
#define AFTER_LAUNCH(queue, ...) opencl_timed(&c, queue, event, &own_event, ok)

/* TASK(queue, kernel): a launch of one work-item */
#define OPENS_TASK		OPENS_LAUNCH
#define CLOCK_TASK		CLOCK_LAUNCH
#define WANT_TASK		WANT_LAUNCH
#define KEEP_TASK(...)
#define CAPTURE_TASK(queue, kernel) \
	(EV.stream = opencl_stream(queue), EV.key = opencl_task(kernel, known))
#define AFTER_TASK		AFTER_LAUNCH

/* NATIVE(queue): a function of the program, run by the runtime */
#define OPENS_NATIVE(...)	GATE_WINDOW
#define CLOCK_NATIVE(...)
#define WANT_NATIVE		WANT_LAUNCH
#define KEEP_NATIVE(...)
#define CAPTURE_NATIVE(queue)	(EV.stream = opencl_stream(queue))
#define AFTER_NATIVE		AFTER_LAUNCH

/* COPY(queue, direction, bytes, address, source address, blocking) */
#define OPENS_COPY(...)		(GATE_WINDOW | GATE_HARVEST)
#define CLOCK_COPY(...)
#define WANT_COPY(queue, ...)	TIMED(queue)
#define KEEP_COPY(...)
#define CAPTURE_COPY(queue, direction, bytes, address, source, blocking)		\
	(EV.stream = opencl_stream(queue), EV.key = (uintptr_t)(address),		\
	 EV.arg = EVENT_ARG(ok ? (bytes) : 0, direction), c.second = (uintptr_t)(source))
#define AFTER_COPY(queue, direction, bytes, address, source, blocking)			\
	(opencl_timed(&c, queue, event, &own_event, ok), (blocking) ? HARVEST(queue) : (void)0)

/* FILL(queue, bytes, address) */
#define OPENS_FILL(...)		GATE_WINDOW
#define CLOCK_FILL(...)
#define WANT_FILL(queue, ...)	TIMED(queue)
#define KEEP_FILL(...)
#define CAPTURE_FILL(queue, bytes, address)						\
	(EV.stream = opencl_stream(queue), EV.key = (uintptr_t)(address),		\
	 EV.arg = EVENT_ARG(ok ? (bytes) : 0, DIR_NONE))
#define AFTER_FILL(queue, ...)	opencl_timed(&c, queue, event, &own_event, ok)

/* MAP(queue, direction, bytes, address, blocking) */
#define OPENS_MAP		OPENS_COPY
#define CLOCK_MAP(...)
#define WANT_MAP(queue, ...)	TIMED(queue)
#define KEEP_MAP(...)
#define CAPTURE_MAP(queue, direction, bytes, address, blocking) \
	CAPTURE_COPY(queue, direction, bytes, address, 0, blocking)
#define AFTER_MAP(queue, direction, bytes, address, blocking) \
	AFTER_COPY(queue, direction, bytes, address, 0, blocking)

/* ALLOC(bytes, object, bytes of a pixel): bytes 0 for an object that shares another's memory */
#define OPENS_ALLOC(...)	BOOKS
#define CLOCK_ALLOC(...)
#define WANT_ALLOC(...)
#define KEEP_ALLOC(bytes, object, pixel) opencl_new_memory(object, bytes, pixel)
#define CAPTURE_ALLOC(bytes, object, pixel) \
	(EV.key = (uintptr_t)(object), EV.arg = EVENT_ARG(ok ? (bytes) : 0, DIR_NONE))
#define AFTER_ALLOC(...)

/* ALLOC_SVM(bytes) */
#define OPENS_ALLOC_SVM(...)	BOOKS
#define CLOCK_ALLOC_SVM(...)
#define WANT_ALLOC_SVM(...)
#define KEEP_ALLOC_SVM(bytes)	opencl_new_memory(rc, bytes, 0)
#define CAPTURE_ALLOC_SVM(bytes) \
	(EV.key = (uintptr_t)rc, EV.arg = EVENT_ARG(ok ? (bytes) : 0, DIR_NONE))
#define AFTER_ALLOC_SVM(...)

/* RETAIN_MEM(object), RELEASE_MEM(object, hook if others still hold it) */
#define OPENS_RETAIN_MEM(...)	BOOKS
#define CLOCK_RETAIN_MEM(...)
#define WANT_RETAIN_MEM(...)
#define KEEP_RETAIN_MEM(object)	opencl_retain_memory(object)
#define CAPTURE_RETAIN_MEM(object) (EV.key = (uintptr_t)(object))
#define AFTER_RETAIN_MEM(...)

#define OPENS_RELEASE_MEM(...)	BOOKS
#define CLOCK_RELEASE_MEM(object, held)							\
	if (!opencl_release_memory(object, &released))					\
		hook = (held), kind = EV_REFERENCE
#define WANT_RELEASE_MEM(...)
#define KEEP_RELEASE_MEM(...)
#define CAPTURE_RELEASE_MEM(object, held) \
	(EV.key = (uintptr_t)(object), EV.arg = EVENT_ARG(released, DIR_NONE))
#define AFTER_RELEASE_MEM(object, held)	(ok ? (void)0 : opencl_retain_memory(object))

/* FREE_SVM(address), FREE_SVMS(queue, count, addresses) */
#define OPENS_FREE_SVM(...)	BOOKS
#define CLOCK_FREE_SVM(address)	opencl_release_memory(address, &released)
#define WANT_FREE_SVM(...)
#define KEEP_FREE_SVM(...)
#define CAPTURE_FREE_SVM(address) \
	(EV.key = (uintptr_t)(address), EV.arg = EVENT_ARG(released, DIR_NONE))
#define AFTER_FREE_SVM(...)

#define OPENS_FREE_SVMS(...)	BOOKS
#define CLOCK_FREE_SVMS(...)
#define WANT_FREE_SVMS(queue, ...) TIMED(queue)
#define KEEP_FREE_SVMS(queue, count, addresses)	(released = opencl_release_all(count, addresses))
#define CAPTURE_FREE_SVMS(queue, count, addresses)					\
	(EV.stream = opencl_stream(queue),						\
	 EV.key = ok ? (uintptr_t)opencl_first(count, addresses) : 0,		\
	 EV.arg = EVENT_ARG(released, DIR_NONE))
#define AFTER_FREE_SVMS(queue, count, addresses)					\
	(opencl_timed(&c, queue, event, &own_event, ok),				\
	 opencl_freed(&c, ok ? (count) : 0, addresses))

/* STREAM(): a queue is made, asked or changed; the books are kept by the custom bodies */
#define OPENS_STREAM(...)	0xffffffffu
#define CLOCK_STREAM(...)
#define WANT_STREAM(...)
#define KEEP_STREAM(...)
#define CAPTURE_STREAM(...)
#define AFTER_STREAM(...)

#define OPENS_RETAIN_STREAM(...) BOOKS
#define CLOCK_RETAIN_STREAM(...)
#define WANT_RETAIN_STREAM(...)
#define KEEP_RETAIN_STREAM(queue) opencl_retain_queue(queue)
#define CAPTURE_RETAIN_STREAM(queue) (EV.stream = opencl_stream(queue))
#define AFTER_RETAIN_STREAM(...)

#define OPENS_RELEASE_STREAM(...) (BOOKS | GATE_HARVEST)
#define CLOCK_RELEASE_STREAM(queue) (stream = opencl_stream(queue), opencl_release_queue(queue))
#define WANT_RELEASE_STREAM(...)
#define KEEP_RELEASE_STREAM(...)
#define CAPTURE_RELEASE_STREAM(queue) (EV.stream = stream)
#define AFTER_RELEASE_STREAM(...)

/* KERNEL(kernel, name), KERNELS(program, count, kernels), RETAIN_KERNEL(kernel), RELEASE_KERNEL(kernel) */
#define OPENS_KERNEL(...)	BOOKS
#define CLOCK_KERNEL(...)
#define WANT_KERNEL(...)
#define KEEP_KERNEL(kernel, name) opencl_new_kernel(kernel, name)
#define CAPTURE_KERNEL(...)
#define AFTER_KERNEL(...)

#define OPENS_KERNELS(...)	BOOKS
#define CLOCK_KERNELS(...)
#define WANT_KERNELS(...)
#define KEEP_KERNELS(program, count, list) opencl_new_kernels(program, count, list)
#define CAPTURE_KERNELS(...)
#define AFTER_KERNELS(...)

#define OPENS_RETAIN_KERNEL(...) BOOKS
#define CLOCK_RETAIN_KERNEL(...)
#define WANT_RETAIN_KERNEL(...)
#define KEEP_RETAIN_KERNEL(kernel) opencl_retain_kernel(kernel)
#define CAPTURE_RETAIN_KERNEL(...)
#define AFTER_RETAIN_KERNEL(...)

#define OPENS_RELEASE_KERNEL(...) BOOKS
#define CLOCK_RELEASE_KERNEL(kernel) opencl_release_kernel(kernel)
#define WANT_RELEASE_KERNEL(...)
#define KEEP_RELEASE_KERNEL(...)
#define CAPTURE_RELEASE_KERNEL(...)
#define AFTER_RELEASE_KERNEL(...)

/* SYNC(queue or NULL): when it returns, device times are there to be read */
#define OPENS_SYNC(...)		(GATE_WINDOW | GATE_HARVEST)
#define CLOCK_SYNC(...)
#define WANT_SYNC(...)
#define KEEP_SYNC(...)
#define CAPTURE_SYNC(queue)	(EV.stream = opencl_stream(queue))
#define AFTER_SYNC(queue)	HARVEST(queue)

/* FLUSH(queue): synchronisation that does not wait */
#define OPENS_FLUSH(...)	GATE_WINDOW
#define CLOCK_FLUSH(...)
#define WANT_FLUSH(...)
#define KEEP_FLUSH(...)
#define CAPTURE_FLUSH(queue)	(EV.stream = opencl_stream(queue))
#define AFTER_FLUSH(...)

/* MODULE(), EVENT(), RESOLVE(): the call itself is all there is to tell */
#define OPENS_PLAIN(...)	GATE_WINDOW
#define OPENS_MODULE		OPENS_PLAIN
#define CLOCK_MODULE(...)
#define WANT_MODULE(...)
#define KEEP_MODULE(...)
#define CAPTURE_MODULE(...)
#define AFTER_MODULE(...)
#define OPENS_EVENT(...)	0xffffffffu
#define CLOCK_EVENT(...)
#define WANT_EVENT(...)
#define KEEP_EVENT(...)
#define CAPTURE_EVENT(...)
#define AFTER_EVENT(...)
#define OPENS_RESOLVE		OPENS_PLAIN
#define CLOCK_RESOLVE(...)
#define WANT_RESOLVE(...)
#define KEEP_RESOLVE(...)
#define CAPTURE_RESOLVE(...)
#define AFTER_RESOLVE(...)

/* Recorded, nested, or only counted as seen: the questions every row asks before the call. */
ALWAYS_INLINE bool enter(struct call *c, unsigned int hook, unsigned int kind, const void *caller)
{
	uint64_t word = gate_load();

	if (UNLIKELY(producer.inside & BIT(kind)) && hook_from_vendor(hook, caller)) {
		if (agent_config.level < LEVEL_2)
			return false;
		c->recording = record_enter(c, word, hook, kind);
		c->nested = true;
		return c->recording;
	}
	if (LIKELY(word & BIT(kind)))
		return record_enter(c, word, hook, kind);
	if (word & GATE_WINDOW)
		atomic_fetch_add_explicit(&session->unrecorded[hook], 1, memory_order_relaxed);
	return false;
}

/*
 * One body for every form of row. Locals that capture words may use: rc (the result), ok (the call
 * succeeded), c (the call), hook and kind, released (bytes given back), stream, known (what the books
 * say of the kernel), and the parameters.
 */
#define BODY(ret, sym, params, capture, DECLARE, CALL, GOOD, CODE, RETURN)		\
	static ALWAYS_INLINE_BODY ret body_##sym(ret (*real) params, const void *caller, UNPAREN params) \
	{										\
		struct call c;	/* the rest is set by record_enter(): this is no place for zeros */	\
		unsigned int hook = HOOK_##sym, kind = KIND_##capture;			\
		uint64_t released = 0;							\
		uint16_t stream = 0;							\
		cl_event own_event = NULL;						\
		const struct handle_slot *known = NULL;					\
		bool ok;								\
											\
		(void)released, (void)stream, (void)own_event, (void)known;		\
		c.timed = false;							\
		DECLARE;									\
		CLOCK_##capture;							\
		c.recording = enter(&c, hook, kind, caller);				\
		if (c.recording) {							\
			WANT_##capture;							\
		}									\
		CALL;									\
		if (c.recording)							\
			record_stop(&c);						\
		ok = GOOD;								\
		if (ok) {								\
			KEEP_##capture;							\
		}									\
		if (c.recording) {							\
			c.result = ok ? 0 : CODE;					\
			CAPTURE_##capture;						\
			record_leave(&c);						\
		}									\
		AFTER_##capture;							\
		RETURN;									\
	}

/*
 * The dormant path. A compiler that is told to pass nine arguments on copies those on the stack over
 * themselves, here and again in the slow path; so where we can say it in five lines we do. The
 * registers used are nobody's at a call. The slow path is jumped to: it returns to our caller.
 */
#if defined(__x86_64__) && !defined(__ILP32__)
#define CALLER	__builtin_return_address(0)
#define DORMANT(ret, sym, params, args, interests)					\
	EXPORT __attribute__((naked)) BARE ret sym params				\
	{										\
		__asm__("movq hook_slots+%c0(%%rip), %%r11\n\t"				\
			"movl gate(%%rip), %%eax\n\t"					\
			"testq %%r11, %%r11\n\t"					\
			"je slow_" #sym "\n\t"						\
			"andl %1, %%eax\n\t"						\
			"cmpl %2, %%eax\n\t"						\
			"jne slow_" #sym "\n\t"						\
			"jmp *%%r11"							\
			: : "i"(HOOK_##sym * sizeof(struct hook_slot) +			\
				offsetof(struct hook_slot, real)),			\
			    "i"((interests) | GATE_STARTED), "i"(GATE_STARTED));		\
	}
#else
#define CALLER	producer.through
#define DORMANT(ret, sym, params, args, interests)					\
	EXPORT ret sym params								\
	{										\
		ret (*real) params = hook_real(HOOK_##sym);				\
											\
		if (LIKELY(real && gate_shut(interests)))				\
			return real args;						\
		producer.through = __builtin_return_address(0);				\
		return slow_##sym args;							\
	}
#endif

/* The exported function, the way in for thunks of a second provider, and the slow path between. */
#define FUNCTIONS(ret, sym, params, args, capture, missing)				\
	EXPORT ret sym params;								\
	static __attribute__((noinline, used)) ret slow_##sym params			\
	{										\
		const void *caller = CALLER;						\
		ret (*real) params = hook_real(HOOK_##sym);				\
											\
		if (UNLIKELY(!real || !gate_load()))					\
			real = hook_resolve(HOOK_##sym, caller);			\
		if (UNLIKELY(!real)) {							\
			missing;							\
		}									\
		return body_##sym(real, caller, UNPAREN args);				\
	}										\
	DORMANT(ret, sym, params, args, OPENS_##capture)					\
	ret thunked_##sym params;							\
	ret thunked_##sym params							\
	{										\
		ret (*real) params = producer.through;				\
											\
		if (UNLIKELY(!gate_load() || !hook_defined(HOOK_##sym)))		\
			hook_resolve(HOOK_##sym, __builtin_return_address(0));		\
		return body_##sym(real, __builtin_return_address(0), UNPAREN args);	\
	}

#define ALWAYS_INLINE_BODY inline __attribute__((always_inline))
#define LOCAL_ERR	cl_int local_err = 0; if (!err) err = &local_err

#define HOOK(ret, sym, params, args, capture)						\
	BODY(ret, sym, params, capture, ret rc, rc = real args, rc == 0, rc, return rc)	\
	FUNCTIONS(ret, sym, params, args, capture, return HOOK_MISSING)

#define HOOK_PTR(ret, sym, params, args, capture)					\
	BODY(ret, sym, params, capture, LOCAL_ERR; ret rc, rc = real args,		\
	     rc != NULL, *err, return rc)						\
	FUNCTIONS(ret, sym, params, args, capture, if (err) *err = HOOK_MISSING; return NULL)

#define HOOK_PTR0(ret, sym, params, args, capture)					\
	BODY(ret, sym, params, capture, ret rc, rc = real args, rc != NULL, -1, return rc)	\
	FUNCTIONS(ret, sym, params, args, capture, return NULL)

#define HOOK_VOID(sym, params, args, capture)						\
	BODY(void, sym, params, capture, , real args, true, 0, return)			\
	FUNCTIONS(void, sym, params, args, capture, return)

#define HOOK_CUSTOM(ret, sym, params, args, capture)					\
	ret custom_##sym(ret (*real) params, UNPAREN params);				\
	BODY(ret, sym, params, capture, ret rc, rc = custom_##sym(real, UNPAREN args),	\
	     rc == 0, rc, return rc)							\
	FUNCTIONS(ret, sym, params, args, capture, return HOOK_MISSING)

#define HOOK_CUSTOM_PTR(ret, sym, params, args, capture)				\
	ret custom_##sym(ret (*real) params, UNPAREN params);				\
	BODY(ret, sym, params, capture, LOCAL_ERR; ret rc,				\
	     rc = custom_##sym(real, UNPAREN args), rc != NULL, *err, return rc)	\
	FUNCTIONS(ret, sym, params, args, capture, if (err) *err = HOOK_MISSING; return NULL)

#define HOOK_AS(sym, kind)

/* DORMANT passes its parameters on without naming them. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "hooks/all.def"

/* What thunks jump to, by hook number. */
#include "hooks/again.h"
#define HOOK(ret, sym, ...)		[HOOK_##sym] = { (void *)sym, (void *)thunked_##sym },
#define HOOK_PTR			HOOK
#define HOOK_PTR0			HOOK
#define HOOK_VOID(sym, ...)		HOOK(void, sym)
#define HOOK_CUSTOM			HOOK
#define HOOK_CUSTOM_PTR			HOOK
#define HOOK_AS(sym, kind)		[HOOK_##sym##_as_##kind] = { NULL, NULL },

const struct hook_entry hook_entries[HOOK_COUNT] = {
#include "hooks/all.def"
};
