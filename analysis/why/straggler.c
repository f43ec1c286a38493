#include "analysis/why/straggler.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/util/alloc.h"

#define STEPS_LEAST  3
#define PARTS_OF_IT  20 /* of a step: others wait at least so long for it, each */
#define MOST_PERCENT 60 /* of the steps that it is the one that is waited for most */

/* A step, by how long all others waited for each rank. */
struct waits {
	int64_t step;
	uint64_t *for_rank; /* ns, by rank of run->ranks */
	uint64_t length;
	size_t ranks; /* that have it whole */
};

static struct waits *waits_of(struct table *steps, const struct why_run *run, int64_t step)
{
	struct waits *w = table_put(steps, (uint64_t)step);

	if (!w->for_rank)
		*w = (struct waits){ .step = step, .for_rank = alloc_zero(run->count, sizeof(uint64_t)) };
	return w;
}

static void take_step(struct waits *w, const struct why_run *run, const struct why_step *step)
{
	w->ranks++;
	w->length += step->length;
	for (size_t i = 0; i < step->split.shares.count; i++) {
		const struct share *share = table_item(&step->split.shares, i);
		const struct subject *subject = subjects_get(&run->subjects, share->subject);

		if (subject->kind == WHY_WAIT)
			w->for_rank[strtoul(subject->detail, NULL, 10)] += share->ns;
	}
}

static size_t most_waited_for(const struct waits *w, const struct why_run *run)
{
	size_t most = 0;

	for (size_t r = 1; r < run->count; r++)
		if (w->for_rank[r] > w->for_rank[most])
			most = r;
	return most;
}

/* Each of the others by a twentieth of the step, in the mean. */
static bool is_long(const struct waits *w, size_t rank)
{
	return w->ranks > 1 && w->for_rank[rank] * PARTS_OF_IT * w->ranks >= w->length * (w->ranks - 1);
}

/* The rank of most steps, and how many these are. */
static size_t find_rank(const struct table *steps, const struct why_run *run, size_t *last)
{
	size_t *times = alloc_zero(run->count, sizeof(*times)), rank = 0;

	for (size_t i = 0; i < steps->count; i++) {
		const struct waits *w = table_item(steps, i);
		size_t most = most_waited_for(w, run);

		times[most] += is_long(w, most);
	}
	for (size_t r = 1; r < run->count; r++)
		if (times[r] > times[rank])
			rank = r;
	*last = times[rank];
	free(times);
	return rank;
}

struct waited_step {
	uint64_t ns;
	const struct why_step *step;
};

static int by_wait(const void *a, const void *b)
{
	const struct waited_step *x = a, *y = b;

	return x->ns < y->ns ? -1 : x->ns > y->ns;
}

static const struct why_step *middle_step(const struct table *steps, const struct why_rank *rank, size_t number)
{
	struct waited_step *list = alloc_zero(rank->count, sizeof(*list));
	const struct why_step *found;
	size_t n = 0;

	for (size_t i = 0; i < rank->count; i++) {
		const struct waits *w = table_find(steps, (uint64_t)rank->steps[i].step);

		if (!rank->steps[i].lacks && w)
			list[n++] = (struct waited_step){ w->for_rank[number], &rank->steps[i] };
	}
	qsort(list, n, sizeof(*list), by_wait);
	found = n ? list[n / 2].step : NULL;
	free(list);
	return found;
}

/* ---- where none waits for another ---- */

static int64_t own_length(const struct why_rank *rank)
{
	int64_t *lengths = alloc_zero(rank->count, sizeof(*lengths));
	struct spread s;
	size_t n = 0;

	for (size_t i = 0; i < rank->count; i++)
		if (!rank->steps[i].lacks)
			lengths[n++] = (int64_t)(rank->steps[i].length - rank->steps[i].waited);
	s = reference_spread(lengths, n);
	free(lengths);
	return n < STEPS_LEAST ? 0 : s.median;
}

/* The rank whose steps are longest, if they are by a fifth longer than those of the others. */
static const struct why_rank *slowest(const struct why_run *run)
{
	int64_t *lengths = alloc_zero(run->count, sizeof(*lengths)), most = 0;
	const struct why_rank *found = NULL;
	struct spread all;
	size_t n = 0;

	for (size_t r = 0; r < run->count; r++) {
		int64_t own = own_length(&run->ranks[r]);

		if (own)
			lengths[n++] = own;
		if (own > most) {
			most = own;
			found = &run->ranks[r];
		}
	}
	all = reference_spread(lengths, n);
	free(lengths);
	/* Of two ranks the middle lies between them. */
	return n > 1 && most - all.median > (n == 2 ? all.median / 11 : all.median / 5) && most - all.median > 3 * all.noise * (n > 2) ? found : NULL;
}

static const struct why_step *middle_of(const struct why_run *run, const struct why_rank *rank)
{
	struct waited_step *list = alloc_zero(rank->count, sizeof(*list));
	const struct why_step *found;
	size_t n = 0;

	for (size_t i = 0; i < rank->count; i++) {
		struct reference others = reference_of_others(run, rank, &rank->steps[i]);

		if (!rank->steps[i].lacks && others.count)
			list[n++] = (struct waited_step){ rank->steps[i].length - rank->steps[i].waited, &rank->steps[i] };
		reference_free(&others);
	}
	qsort(list, n, sizeof(*list), by_wait);
	found = n ? list[n / 2].step : NULL;
	free(list);
	return found;
}

static bool find_slowest(struct why_finding *f, const struct why_run *run)
{
	const struct why_rank *rank = slowest(run);
	const struct why_step *step = rank ? middle_of(run, rank) : NULL;

	if (!step)
		return false;
	why_finding_make(f, rank, step, reference_of_others(run, rank, step), true);
	why_finding_explain(f, run);
	f->is_slowest = true;
	return true;
}

bool straggler_find(struct why_finding *f, const struct why_run *run)
{
	struct table steps = TABLE(struct waits);
	const struct why_step *step = NULL;
	size_t last, rank;

	for (size_t r = 0; r < run->count; r++)
		for (size_t i = 0; i < run->ranks[r].count; i++)
			if (!run->ranks[r].steps[i].lacks)
				take_step(waits_of(&steps, run, run->ranks[r].steps[i].step), run, &run->ranks[r].steps[i]);
	rank = find_rank(&steps, run, &last);
	if (last >= STEPS_LEAST && last * 100 >= steps.count * MOST_PERCENT)
		step = middle_step(&steps, &run->ranks[rank], rank);
	if (step) {
		why_finding_make(f, &run->ranks[rank], step, reference_of_others(run, &run->ranks[rank], step), true);
		why_finding_explain(f, run);
		f->steps_last = last;
	}
	for (size_t i = 0; i < steps.count; i++)
		free(((struct waits *)table_item(&steps, i))->for_rank);
	table_free(&steps);
	return step || find_slowest(f, run);
}
