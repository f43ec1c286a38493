/*
 * opencl_words.h - what the capture words of opencl.def do around a call; wrap.h tells of their parts.
 * Pointers of the program are looked at when the call has succeeded, never before.
 */
#pragma once
#include "hooks/opencl.h"
#include "hooks/wrap.h"

#define STATUS cl_int
/* released: bytes given back. known: what the books say of the kernel. own: the event, where we
 * time. queue: of a graph. */
#define LOCALS										\
	uint64_t released __attribute__((unused)) = 0;					\
	uint16_t stream __attribute__((unused)) = 0;					\
	struct own_event own __attribute__((unused));					\
	cl_command_queue queue __attribute__((unused)) = NULL;				\
	const struct handle_slot *known __attribute__((unused)) = NULL;

#define BOOKS			(GATE_BOOKS | GATE_WINDOW)
#define ALWAYS			(~ROW_SHORT)
#define EV			c.event
#define TIMED(queue)		opencl_want(&c, queue, &event, &own)
#define HARVEST(queue)		opencl_harvest()

/*
 * Between windows only the step clock is interested in a launch, and only in one that is not like the
 * last. The kernel is the second argument. handles_peek() in other words.
 */
#define SHORT_WAY(taken, slow)								\
	"movq gate(%%rip), %%rax\n\t"							\
	"movq producer@gottpoff(%%rip), %%r10\n\t"					\
	"cmpq %%rax, %%fs:8(%%r10)\n\t"							\
	"je " taken "\n\t"								\
	"andl $0x60000000, %%eax\n\t"							\
	"cmpl $0x20000000, %%eax\n\t"							\
	"jne " slow "\n\t"								\
	"movabsq $0x9E3779B97F4A7C15, %%rax\n\t"					\
	"movq opencl_kernels(%%rip), %%r10\n\t"						\
	"imulq %%rsi, %%rax\n\t"							\
	"testq %%r10, %%r10\n\t"							\
	"je " slow "\n\t"								\
	"shrq $64-17, %%rax\n\t"							\
	"shlq $5, %%rax\n\t"								\
	"addq %%rax, %%r10\n\t"								\
	"leaq 1(%%rsi), %%rax\n\t"							\
	"cmpq %%rax, 24(%%r10)\n\t"							\
	"jne " slow "\n\t"								\
	"movq 8(%%r10), %%rax\n\t"							\
	"shrq $63, %%rax\n\t"								\
	"xorl launches_stamp(%%rip), %%eax\n\t"						\
	"testb $1, %%al\n\t"								\
	"jne " slow "\n\t"								\
	"jmp *%%r11\n\t"
_Static_assert((GATE_WINDOW | GATE_CLOCK) == 0x60000000 && GATE_CLOCK == 0x20000000 && HANDLES_BITS == 17 &&
	       sizeof(struct handle_slot) == 32 && offsetof(struct handle_slot, alive) == 24 &&
	       offsetof(struct handle_slot, a) == 8 && KERNEL_MATCHES == 1ull << 63 &&
	       offsetof(struct producer, ready) == 8, "SHORT_WAY says the same");

/* LAUNCH(queue, kernel, dimensions, global, local) */
#define OPENS_LAUNCH(...)	(GATE_WINDOW | GATE_CLOCK | ROW_SHORT)
#define CLOCK_LAUNCH(queue, kernel, ...)	(known = opencl_kernel(kernel), opencl_clock(kernel, known))
#define WANT_LAUNCH(queue, ...)	TIMED(queue)
#define KEEP_LAUNCH(...)
#define CAPTURE_LAUNCH(queue, kernel, dims, global, local) \
	(EV.stream = opencl_stream(queue, ok), EV.key = opencl_launch(kernel, known, ok, dims, global, local))
#define AFTER_LAUNCH(queue, ...) opencl_timed(&c, &own, ok)

/* TASK(queue, kernel): a launch of one work-item */
#define OPENS_TASK(...)		(GATE_WINDOW | GATE_CLOCK)
#define CLOCK_TASK		CLOCK_LAUNCH
#define WANT_TASK		WANT_LAUNCH
#define KEEP_TASK(...)
#define CAPTURE_TASK(queue, kernel) \
	(EV.stream = opencl_stream(queue, ok), EV.key = opencl_task(kernel, known, ok))
#define AFTER_TASK		AFTER_LAUNCH

/* NATIVE(queue): a function of the program, run by the runtime */
#define OPENS_NATIVE(...)	GATE_WINDOW
#define CLOCK_NATIVE(...)
#define WANT_NATIVE		WANT_LAUNCH
#define KEEP_NATIVE(...)
#define CAPTURE_NATIVE(queue)	(EV.stream = opencl_stream(queue, ok))
#define AFTER_NATIVE		AFTER_LAUNCH

/* COPY(queue, direction, bytes, address, source address, blocking) */
#define OPENS_COPY(...)		(GATE_WINDOW | GATE_HARVEST)
#define CLOCK_COPY(...)
#define WANT_COPY(queue, ...)	TIMED(queue)
#define KEEP_COPY(...)
#define CAPTURE_COPY(queue, direction, bytes, address, source, blocking)		\
	(EV.stream = opencl_stream(queue, ok), EV.key = (uintptr_t)(address),		\
	 EV.arg = EVENT_ARG(ok ? (bytes) : 0, direction), c.second = (uintptr_t)(source))
#define AFTER_COPY(queue, direction, bytes, address, source, blocking)			\
	(opencl_timed(&c, &own, ok), (blocking) ? HARVEST(queue) : (void)0)

/* FILL(queue, bytes, address) */
#define OPENS_FILL(...)		GATE_WINDOW
#define CLOCK_FILL(...)
#define WANT_FILL(queue, ...)	TIMED(queue)
#define KEEP_FILL(...)
#define CAPTURE_FILL(queue, bytes, address)						\
	(EV.stream = opencl_stream(queue, ok), EV.key = (uintptr_t)(address),		\
	 EV.arg = EVENT_ARG(ok ? (bytes) : 0, DIR_NONE))
#define AFTER_FILL(queue, ...)	opencl_timed(&c, &own, ok)

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
	(EV.stream = opencl_stream(queue, ok),						\
	 EV.key = (uintptr_t)opencl_first(ok, count, addresses),		\
	 EV.arg = EVENT_ARG(released, DIR_NONE))
#define AFTER_FREE_SVMS(queue, count, addresses)					\
	(opencl_timed(&c, &own, ok),				\
	 opencl_freed(&c, ok ? (count) : 0, addresses))

/* STREAM(): a queue is made, asked or changed; the books are kept by the custom bodies */
#define OPENS_STREAM(...)	ALWAYS
#define CLOCK_STREAM(...)
#define WANT_STREAM(...)
#define KEEP_STREAM(...)
#define CAPTURE_STREAM(...)
#define AFTER_STREAM(...)

#define OPENS_RETAIN_STREAM(...) BOOKS
#define CLOCK_RETAIN_STREAM(...)
#define WANT_RETAIN_STREAM(...)
#define KEEP_RETAIN_STREAM(queue) opencl_retain_queue(queue)
#define CAPTURE_RETAIN_STREAM(queue) (EV.stream = opencl_stream(queue, ok))
#define AFTER_RETAIN_STREAM(...)

#define OPENS_RELEASE_STREAM(...) (BOOKS | GATE_HARVEST)
#define CLOCK_RELEASE_STREAM(queue) (stream = opencl_stream(queue, false), opencl_release_queue(queue))
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
#define CAPTURE_SYNC(queue)	(EV.stream = opencl_stream(queue, ok))
#define AFTER_SYNC(queue)	HARVEST(queue)

/* FLUSH(queue): synchronisation that does not wait */
#define OPENS_FLUSH(...)	GATE_WINDOW
#define CLOCK_FLUSH(...)
#define WANT_FLUSH(...)
#define KEEP_FLUSH(...)
#define CAPTURE_FLUSH(queue)	(EV.stream = opencl_stream(queue, ok))
#define AFTER_FLUSH(...)

/* GRAPH_NEW(queue): a list of commands is made for it */
#define OPENS_GRAPH_NEW(...)	BOOKS
#define CLOCK_GRAPH_NEW(...)
#define WANT_GRAPH_NEW(...)
#define KEEP_GRAPH_NEW(queue)	opencl_new_graph(rc, queue)
#define CAPTURE_GRAPH_NEW(queue) (EV.stream = opencl_stream(queue, ok))
#define AFTER_GRAPH_NEW(...)

/* GRAPH_LAUNCH(graph): all of its commands, as one launch */
#define OPENS_GRAPH_LAUNCH(...)	GATE_WINDOW
#define CLOCK_GRAPH_LAUNCH(graph) (queue = opencl_graph_queue(graph))
#define WANT_GRAPH_LAUNCH(...)	TIMED(queue)
#define KEEP_GRAPH_LAUNCH(...)
#define CAPTURE_GRAPH_LAUNCH(...) (EV.stream = opencl_stream(queue, ok))
#define AFTER_GRAPH_LAUNCH(...)	opencl_timed(&c, &own, ok)

#define OPENS_RETAIN_GRAPH(...)	BOOKS
#define CLOCK_RETAIN_GRAPH(...)
#define WANT_RETAIN_GRAPH(...)
#define KEEP_RETAIN_GRAPH(graph) opencl_retain_graph(graph)
#define CAPTURE_RETAIN_GRAPH(...)
#define AFTER_RETAIN_GRAPH(...)

#define OPENS_RELEASE_GRAPH(...) BOOKS
#define CLOCK_RELEASE_GRAPH(graph) opencl_release_graph(graph)
#define WANT_RELEASE_GRAPH(...)
#define KEEP_RELEASE_GRAPH(...)
#define CAPTURE_RELEASE_GRAPH(...)
#define AFTER_RELEASE_GRAPH(...)

/* RESOLVE(name): hands out our function instead of the one that was found, if the name has a row */
#define OPENS_RESOLVE(...)	ALWAYS
#define CLOCK_RESOLVE(...)
#define WANT_RESOLVE(...)
#define KEEP_RESOLVE(name)	(rc = hook_resolved(name, rc, caller))
#define CAPTURE_RESOLVE(...)
#define AFTER_RESOLVE(...)

/* MODULE(), GRAPH(), EVENT(): the call itself is all there is to tell */
#define OPENS_PLAIN(...)	GATE_WINDOW
#define OPENS_MODULE		OPENS_PLAIN
#define CLOCK_MODULE(...)
#define WANT_MODULE(...)
#define KEEP_MODULE(...)
#define CAPTURE_MODULE(...)
#define AFTER_MODULE(...)
#define OPENS_GRAPH		OPENS_PLAIN
#define CLOCK_GRAPH(...)
#define WANT_GRAPH(...)
#define KEEP_GRAPH(...)
#define CAPTURE_GRAPH(...)
#define AFTER_GRAPH(...)
#define OPENS_EVENT(...)	ALWAYS
#define CLOCK_EVENT(...)
#define WANT_EVENT(...)
#define KEEP_EVENT(...)
#define CAPTURE_EVENT(...)
#define AFTER_EVENT(...)
