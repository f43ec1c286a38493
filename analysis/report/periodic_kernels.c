#include "analysis/report/periodic_kernels.h"

#include <string.h>

#include "analysis/report/kernel_rows.h"

void period_take(struct period *r, uint32_t thread, uint64_t number)
{
	bool again = r->times && r->thread == thread && number == r->last + 1;
	uint64_t gap = number - r->last - 1;

	if (r->times && !again) {
		r->equal = r->equal && gap == r->gap ? r->equal + 1 : 1;
		r->gap = gap;
		r->scattered |= r->thread != thread;
	}
	r->times += !again;
	r->thread = thread;
	r->last = number;
}

bool period_is_regular(const struct period *r)
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

const struct kernel_row *periodic_kernels_guess(const struct report *r)
{
	const struct kernel_row *best = NULL;

	for (size_t i = 0; i < r->kernel_count; i++) {
		const struct kernel_row *k = &r->kernels[i];

		if (period_is_regular(&k->period) && (!best || is_better(k, best)))
			best = k;
	}
	return best;
}
