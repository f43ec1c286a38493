/*
 * first_phase.c - the first phase of an operator, which has any signature: aclnn.S tells of it and goes on by a jump, or, if it is to be
 * recorded or leads to shapes, by a call with a copy of the stack's arguments, and tells of its end.
 */
#include "agent/stacks/stack_memory.h"
#include "hooks/ascend/aclnn/aclnn.h"
#include "hooks/ascend/aclnn/operator.h"
#include "hooks/ascend/aclnn/plans.h"
#include "hooks/ascend/aclnn/shapes.h"
#include "hooks/ascend/aclnn/ways.h"
#include "hooks/link/vectors.h"

/* One that is under way; in the frame of aclnn.S, as are its arguments. */
struct first {
	struct call call;
	struct aclnn *op;
	size_t stack; /* bytes of the stack's arguments that can be read */
	bool recording, planning, asking;
};
_Static_assert(sizeof(struct first) <= FIRST_AT - FIRST_TO, "as much room has aclnn.S");

OURS long aclnn_entered(struct aclnn *op, const void *caller, char *frame);
OURS void aclnn_returned(aclnnStatus rc, char *frame);

static struct first *first_of(char *frame)
{
	return (struct first *)(frame - FIRST_AT);
}

static const void *lowest_of(const char *frame)
{
	return frame - FIRST_AT - COPIED;
}

/* What the copy of a stack's arguments is made with, and from: before the first one, and not where nobody wants any. */
static NOINLINE void prepare_copies(void)
{
	vectors_ask();
	stack_memory_start();
}

/*
 * Whoever asks for nothing more than to be counted is gone on to by a jump. Else: 16, and the bytes of the
 * stack that are to be copied.
 */
long aclnn_entered(struct aclnn *op, const void *caller, char *frame)
{
	struct first *f = first_of(frame);
	uint64_t word;

	if (UNLIKELY(!op->real))
		aclnn_resolve(op);
	if (gate_shut(GATE_WINDOW | GATE_SHAPES))
		return 0;
	word = gate_load();
	if (UNLIKELY(!word || !hook_defined(op->hook))) {
		prepare_copies();
		hook_resolve(op->hook, caller);
		word = gate_load();
	}
	f->op = op;
	f->planning = word & GATE_SHAPES;
	f->asking = word & GATE_STACKS;
	f->call.timed = false;
	if (f->planning)
		shapes_begin(frame + ARGUMENTS_STACK_AT, lowest_of(frame));
	f->recording = enter_and_tell(&f->call, op->hook, EV_PREPARE, caller, false, false); /* most go on by a jump, and have no end */
	if (!f->recording && !f->planning && !f->asking)
		return 0;
	f->stack = stack_memory_count((uintptr_t)frame + ARGUMENTS_STACK_AT, COPIED);
	return 16 + (long)f->stack;
}

/* By this thread, whoever runs it. */
static void asked_for(const struct first *f, const struct plan_found *plans, unsigned int n)
{
	struct asked by = stacks_asked();

	for (unsigned int i = 0; i < n; i++)
		plans_ask(plans[i].plan, f->op->op, by);
}

/* Which of these is the plan will show when one is run. */
static void planned(const struct first *f, struct given *g, const struct arguments *a, const struct plan_found *plans, unsigned int n)
{
	uint64_t launch = f->planning ? shapes_launch(g, aclnn_operator_name(f->op), a, n ? plans[0].argument : 0) : 0;

	for (unsigned int i = 0; i < n; i++)
		plans_made(&plans[i], f->op->op, launch);
	if (UNLIKELY(n && f->asking))
		asked_for(f, plans, n);
	if (g && g->key)
		plans_kept(g->key, f->op->op, launch);
}

static void record_first(struct first *f, struct given *g, aclnnStatus rc, const struct arguments *a, const struct plan_found *plan)
{
	f->call.result = rc;
	f->call.event.key = f->planning ? shapes_launch(g, aclnn_own_name(f->op), a, plan ? plan->argument : 0) : aclnn_launch(f->op);
	f->call.event.arg = plan ? aclnn_plan_arg(plan->plan) : 0;
	record_leave(&f->call);
}

/*
 * Another operator's, which has called this one: so are the tensors. Or nobody's any more, as an exception or a jump has ended it from
 * inside: then some of those that there are may be its library's.
 */
static NOINLINE struct given *not_its_own(struct given *g)
{
	if (!g->phase)
		given_take(g);
	return NULL;
}

void aclnn_returned(aclnnStatus rc, char *frame)
{
	struct first *f = first_of(frame);
	struct arguments a = { (const uint64_t *)(frame - ARGUMENTS_AT), (const uint64_t *)(frame + ARGUMENTS_STACK_AT), f->stack / 8 };
	struct plan_found plans[PLANS_FOUND];
	unsigned int n = 0;
	struct given *g;

	if (f->recording)
		record_stop(&f->call);
	g = f->planning ? given_known() : NULL;
	if (g && UNLIKELY(g->phase != lowest_of(frame)))
		g = not_its_own(g);
	if (LIKELY(!rc)) {
		n = plans_find(&a, f->op->op, plans);
		planned(f, g, &a, plans, n);
	}
	if (f->recording)
		record_first(f, g, rc, &a, n ? plans : NULL);
	if (g) {
		g->phase = NULL;
		given_take(g);
	}
}
