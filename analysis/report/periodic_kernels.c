#include "analysis/report/periodic_kernels.h"

#include <math.h>
#include <string.h>

#include "analysis/report/kernel_rows.h"

static void learn(struct period *r, uint64_t gap)
{
	double off = (double)gap - r->mean;

	r->mean += off / (double)r->times;
	r->squares += off * ((double)gap - r->mean);
}

static void take_gap(struct period *r, uint64_t gap)
{
	r->equal = r->equal && gap == r->gap ? r->equal + 1 : 1;
	r->gap = gap;
	if (r->equal < r->times || r->times == 1)
		learn(r, gap); /* else all have been the same: that is the mean */
	r->times++;
}

void period_take(struct period *r, uint32_t thread, uint64_t number)
{
	uint64_t gap = number - r->last - 1;

	if (!r->times) {
		*r = (struct period){ .thread = thread, .times = 1, .first = number, .last = number };
		return;
	}
	if (gap || r->thread != thread)
		take_gap(r, gap);
	r->scattered |= r->thread != thread;
	r->thread = thread;
	r->last = number;
}

/* Once a step from the first or second step on, to the end of the trace. */
static bool is_regular(const struct period *r)
{
	/* The first step may hold more than the others, and something may follow the last. */
	return !r->scattered && r->equal >= 2 && r->times <= r->equal + 2 &&
	       (r->behind <= r->gap || r->behind <= r->last / 10);
}

/* A kernel of one of these is likely the last thing of a training step. */
static bool is_optimizer(const char *name)
{
	static const char *const words[] = { "adam", "sgd", "optim", "momentum", "lamb", "adagrad",
					     "rmsprop", "lion", "apply", "update" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcasestr(name, words[i]))
			return true;
	return false;
}

static bool is_better(const struct kernel_row *a, const struct kernel_row *b)
{
	const struct period *x = &a->period, *y = &b->period;
	bool optimizer = is_optimizer(a->name);

	if (x->equal != y->equal)
		return x->equal > y->equal;
	if (optimizer != is_optimizer(b->name))
		return optimizer;
	return x->times != y->times ? x->times < y->times : x->behind < y->behind;
}

const struct kernel_row *periodic_kernels_equal(const struct report *r)
{
	const struct kernel_row *best = NULL;

	for (size_t i = 0; i < r->kernel_count; i++) {
		const struct kernel_row *k = &r->kernels[i];

		if (is_regular(&k->period) && (!best || is_better(k, best)))
			best = k;
	}
	return best;
}

/* ---- where steps are not equal ---- */

/*
 * The bounds are those that find the steps in the sequences of `make bench SECTION=periods`: at least five times; distances that vary by less than
 * their mean; there from the first third on, up to the end.
 */
static bool is_alike(const struct period *p)
{
	double all = (double)(p->last + p->behind + 1);

	return !p->scattered && p->times >= 5 && sqrt(p->squares / (double)(p->times - 1)) < 0.9 * p->mean && (double)p->first < 2.5 * p->mean + 0.35 * all &&
	       (double)p->behind < 2.5 * p->mean;
}

/* What is launched at random has nothing that goes with it. */
static bool go_together(const struct period *a, const struct period *b)
{
	return a->thread == b->thread && a->times <= b->times + 1 && b->times <= a->times + 1 && fabs(a->mean - b->mean) < 0.02 * a->mean &&
	       fabs((double)(a->last - a->first) - (double)(b->last - b->first)) < 0.05 * a->mean + 1;
}

static bool has_partner(const struct report *r, const struct kernel_row *k)
{
	for (size_t i = 0; i < r->kernel_count; i++)
		if (&r->kernels[i] != k && is_alike(&r->kernels[i].period) && go_together(&k->period, &r->kernels[i].period))
			return true;
	return false;
}

/* Of those that go together the one behind the others ends the step. */
static bool is_rarer(const struct period *a, const struct period *b)
{
	return go_together(a, b) ? a->behind < b->behind : a->mean > b->mean;
}

const struct kernel_row *periodic_kernels_alike(const struct report *r)
{
	const struct kernel_row *best = NULL;

	for (size_t i = 0; i < r->kernel_count; i++) {
		const struct kernel_row *k = &r->kernels[i];

		if (is_alike(&k->period) && (!best || is_rarer(&k->period, &best->period)) && has_partner(r, k))
			best = k;
	}
	return best;
}
