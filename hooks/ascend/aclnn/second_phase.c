/*
 * second_phase.c - the second phase of an operator, which gives the work to the device: whatever the operator, it has one signature, and is
 * recorded as the operator.
 */
#include "hooks/ascend/aclnn/operator.h"
#include "hooks/ascend/aclnn/plans.h"
#include "hooks/ascend/aclnn/shapes.h"
#include "hooks/ascend/time/time.h"

OURS int aclnn_unwound(int version, int actions, uint64_t class, void *exception, void *context);
OURS aclnnStatus aclnn_second(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream,
			      struct aclnn *op, const void *caller);
OURS void aclnn_begun(void);
OURS uint64_t aclnn_plan_runs(const aclOpExecutor *executor, const struct aclnn *op, const void *frame);
OURS aclnnStatus aclnn_end(aclnnStatus rc, uint64_t launch, aclrtStream stream);

#define UNWINDS_PHASE __asm__ volatile(".cfi_personality 0x1b, aclnn_unwound")

/* Plans lead to shapes, join both phases where the first is recorded, too, and tell who asked. */
ALWAYS_INLINE bool with_plans(uint64_t word)
{
	return word & (GATE_SHAPES | GATE_KIND_PREPARE | GATE_STACKS);
}

/* The second phase may be a queue's thread's, which does what the first one's has asked for; if that is not known, it is a call as any other. */
static void work_begins(const void *plan, uint32_t op)
{
	struct asked by;

	if ((uint32_t)gate_load() & GATE_STACKS && plans_asker(plan, op, &by))
		stacks_work_begin(by);
}

ALWAYS_INLINE uint64_t plan_arg(uint64_t word, const void *plan)
{
	return UNLIKELY(word & GATE_KIND_PREPARE) ? EVENT_ARG((uintptr_t)plan, DIR_NONE) : 0;
}

uint64_t aclnn_planned(const void *plan, const char *name)
{
	uint32_t op = aclnn_operator_of(name);

	if (!with_plans(gate_load()))
		return 0;
	work_begins(plan, op);
	return plans_take(plan, op);
}

uint64_t aclnn_plan_arg(const void *plan)
{
	return plan_arg(gate_load(), plan);
}

void aclnn_plan_run(void)
{
	stacks_work_end();
}

#define CLEANUP_PHASE 2 /* of the unwinder, see record_unwound() */

int aclnn_unwound(int version, int actions, uint64_t class, void *exception, void *context)
{
	if (actions & CLEANUP_PHASE) {
		shapes_end();
		shapes_taken();
		stacks_work_end();
	}
	return record_unwound(version, actions, class, exception, context);
}

typedef aclnnStatus (*second_fn)(void *, uint64_t, aclOpExecutor *, aclrtStream);

static __attribute__((noinline)) aclnnStatus second_slowly(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream,
							   struct aclnn *op, const void *caller)
{
	uint64_t launch = 0, word = gate_load(), name_alone;
	struct timed own;
	bool plans = with_plans(word), outermost = false;
	struct call c;
	aclnnStatus rc;

	UNWINDS_PHASE;
	if (UNLIKELY(!op->real))
		aclnn_resolve(op);
	if (UNLIKELY(!word || !hook_defined(op->hook)))
		hook_resolve(op->hook, caller);
	if (plans) {
		outermost = shapes_begin(__builtin_frame_address(0), &c);
		work_begins(executor, op->op);
		launch = plans_take(executor, op->op);
	}
	c.timed = false;
	c.left_out = 0;
	c.recording = enter(&c, HOOK_aclnn, EV_OPERATOR, caller, false);
	if (c.recording && UNLIKELY(c.word & GATE_TIMES))
		timed_want(&ascend_times, &c, stream, &own, TIME_OPERATOR);
	rc = ((second_fn)op->real)(workspace, size, executor, stream);
	if (c.recording)
		record_stop(&c);
	else if (c.left_out)
		record_skipped_end(c.left_out);
	if (outermost)
		shapes_end();
	if (!c.recording) {
		stacks_work_end();
		return rc;
	}
	if (!rc)
		timed_called(&ascend_times, &c, &own);
	c.result = rc;
	c.event.stream = ascend_stream(stream, !rc);
	name_alone = aclnn_launch(op); /* known from now on: the short way asks for no more */
	c.event.key = launch ? launch : name_alone;
	c.event.arg = plan_arg(word, executor);
	record_leave(&c);
	timed_recorded(&ascend_times, &c, &own, !rc);
	if (plans)
		stacks_work_end();
	return rc;
}

/* ---- the short way ---- */

#define IN_PHASE (1ull << 63) /* beside a DEF_LAUNCH id: shapes_end() is to be called */

/* As second_slowly() begins where shapes are wanted: by what the call stands in the trace. frame: where its frame begins. */
uint64_t aclnn_plan_runs(const aclOpExecutor *executor, const struct aclnn *op, const void *frame)
{
	uint64_t in_phase = LIKELY(shapes_begin(frame, frame)) ? IN_PHASE : 0, launch = plans_take(executor, op->op);

	return in_phase | (uint32_t)(LIKELY(launch) ? launch : relaxed_load(&op->launch));
}

/* The end of a call that is not like most. */
static NOINLINE aclnnStatus short_way_exception(uint64_t launch, aclrtStream stream, aclnnStatus rc, uint64_t begin, uint64_t ticks)
{
	struct producer *p = &producer;
	struct call c = { .result = rc, .slot = ticks, .word = p->word };

	if (!p->word) /* this is a forked child now */
		return rc;
	c.event = (struct event){ begin, ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX, HOOK_aclnn, ascend_stream(stream, !rc), launch, 0 };
	relaxed_store(&p->ring->call_hook, 0);
	ring_write_event(&c);
	return rc;
}

ALWAYS_INLINE aclnnStatus short_way_end(aclnnStatus rc, uint64_t launch, aclrtStream stream)
{
	struct producer *p = &producer;
	struct ring_header *r = p->ring;
	uint64_t begin = record_begun(r), ticks = clock_raw() - begin;
	struct handle_slot *s = handles_peek(&ascend_streams.table, contexts_stream_key(&ascend_streams, stream, LAST_SPECIAL));

	if (launch & IN_PHASE)
		shapes_end();
	if (LIKELY(!rc && s && ticks < UINT32_MAX) &&
	    LIKELY(record_end(p, r, begin, (uint32_t)ticks, HOOK_aclnn | (uint32_t)relaxed_load(&s->a) << 16, (uint32_t)launch)))
		return 0;
	return short_way_exception((uint32_t)launch, stream, rc, begin, ticks);
}

/*
 * The short way: outside of other calls, under a word that is known (see struct producer), of an operator that was
 * recorded before, if nothing is wanted but that it was called, and with what shapes.
 */
#if defined(__x86_64__)
/*
 * Called by the way of operator r11d, every argument stays where it is. The frame of aclnn.S stands when it returns;
 * equal: the call is recorded the short way. This is record_clock(), record_turn() and record_begin() in other words.
 */
__attribute__((naked, aligned(64))) BARE void aclnn_begun(void)
{
	__asm__(".cfi_def_cfa_offset 16\n\t" /* the way's frame is left out */
		"shlq $7, %%r11\n\t"
		"leaq aclnn_operators(%%rip), %%rax\n\t"
		"addq %%rax, %%r11\n\t"
		"popq %%r10\n\t"
		".cfi_def_cfa_offset 8\n\t"
		"pushq %%rcx\n\t" /* the stream */
		".cfi_def_cfa_offset 16\n\t"
		"pushq %%r11\n\t"
		".cfi_def_cfa_offset 24\n\t"
		"movq %c[launch](%%r11), %%r9\n\t"
		"pushq %%r9\n\t" /* or what aclnn_plan_runs() returns */
		".cfi_def_cfa_offset 32\n\t"
		"pushq %%r10\n\t" /* where it was called */
		".cfi_def_cfa_offset 40\n\t"
		"movq gate(%%rip), %%rax\n\t"
		"movq producer@gottpoff(%%rip), %%r10\n\t"
		"cmpq %%rax, %%fs:%c[ready](%%r10)\n\t"
		"jne 1f\n\t"
		"shrq $32, %%r9\n\t"
		"cmpl session_generation(%%rip), %%r9d\n\t"
		"jne 1f\n\t"
		"testl %[plans], %%eax\n\t"
		"jne 3f\n"
		"2:\n\t"
		"movq %%fs:%c[ring](%%r10), %%r11\n\t"
		"prefetchw (%%r11)\n\t"
		"movq %%rdx, %%r9\n\t"
		"rdtsc\n\t"
		"shlq $32, %%rdx\n\t"
		"orq %%rdx, %%rax\n\t"
		"movq %%r9, %%rdx\n\t"
		"movl %[inside], %%fs:%c[ready](%%r10)\n\t"
		"incq %c[entered](%%r11)\n\t"
		"movq %%rax, %c[call_begin](%%r11)\n\t"
		"movq %[hook], %c[call_hook](%%r11)\n\t"
		"xorl %%eax, %%eax\n"
		"1: ret\n"
		"3:\n\t"
		"testl %[prepare], %%eax\n\t"
		"jne 1b\n\t"
		"pushq %%r11\n\t"
		".cfi_adjust_cfa_offset 8\n\t"
		"pushq %%rdi\n\t"
		".cfi_adjust_cfa_offset 8\n\t"
		"pushq %%rsi\n\t"
		".cfi_adjust_cfa_offset 8\n\t"
		"pushq %%rdx\n\t"
		".cfi_adjust_cfa_offset 8\n\t"
		"pushq %%rcx\n\t"
		".cfi_adjust_cfa_offset 8\n\t"
		"movq %%rdx, %%rdi\n\t"
		"movq %%r11, %%rsi\n\t"
		"leaq 72(%%rsp), %%rdx\n\t"
		"call aclnn_plan_runs\n\t"
		"movq %%rax, 48(%%rsp)\n\t"
		"popq %%rcx\n\t"
		".cfi_adjust_cfa_offset -8\n\t"
		"popq %%rdx\n\t"
		".cfi_adjust_cfa_offset -8\n\t"
		"popq %%rsi\n\t"
		".cfi_adjust_cfa_offset -8\n\t"
		"popq %%rdi\n\t"
		".cfi_adjust_cfa_offset -8\n\t"
		"popq %%r11\n\t"
		".cfi_adjust_cfa_offset -8\n\t"
		"movq producer@gottpoff(%%rip), %%r10\n\t"
		"jmp 2b"
		:
		: [ready] "i"(offsetof(struct producer, ready)), [ring] "i"(offsetof(struct producer, ring)),
		  [launch] "i"(offsetof(struct aclnn, launch)), [entered] "i"(offsetof(struct ring_header, entered)),
		  [call_begin] "i"(offsetof(struct ring_header, call_begin)),
		  [call_hook] "i"(offsetof(struct ring_header, call_hook)), [hook] "i"(HOOK_aclnn + 1),
		  [plans] "i"(GATE_SHAPES | GATE_KIND_PREPARE), [prepare] "i"(GATE_KIND_PREPARE), [inside] "i"(INSIDE | BIT(EV_OPERATOR)));
}

aclnnStatus aclnn_end(aclnnStatus rc, uint64_t launch, aclrtStream stream)
{
	return short_way_end(rc, launch, stream);
}

aclnnStatus aclnn_second(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream,
			 struct aclnn *op, const void *caller)
{
	return second_slowly(workspace, size, executor, stream, op, caller);
}
#else
aclnnStatus aclnn_second(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream,
			 struct aclnn *op, const void *caller)
{
	uint64_t word = gate_load(), launch = relaxed_load(&op->launch);
	struct producer *p = &producer;
	uint64_t begin;

	UNWINDS_PHASE;
	if (UNLIKELY(p->ready != word || word & GATE_KIND_PREPARE || launch >> 32 != session_generation))
		return second_slowly(workspace, size, executor, stream, op, caller);
	if (word & GATE_SHAPES)
		launch = aclnn_plan_runs(executor, op, __builtin_frame_address(0));
	begin = record_clock(p);
	record_turn(p, EV_OPERATOR);
	record_begin(p, HOOK_aclnn, begin);
	return short_way_end(((second_fn)op->real)(workspace, size, executor, stream), launch, stream);
}
#endif
