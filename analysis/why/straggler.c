#include "analysis/why/straggler.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/why/kept.h"

#define STEPS_LEAST    3
#define PARTS_OF_IT    20 /* of a step: others wait at least so long for it, each */
#define MOST_PERCENT   60 /* of the steps that it is the one that is waited for most */
#define PARTS_LONGER   5  /* of the others' steps: its own are longer by one at least, */
#define SPREADS_LONGER 3  /* and by so many times what those of the others differ by, and by more than its own differ by */

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

/* pieces: so many, from the step's first on. */
static void take_step(struct waits *w, const struct why_step *step, const struct meeting_piece *pieces, size_t count)
{
	w->ranks++;
	w->length += step->length;
	for (size_t i = 0; i < count; i++)
		w->for_rank[pieces[i].last] += pieces[i].came - pieces[i].begin;
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

struct own_step {
	uint64_t ns;
	const struct why_step *step;
};

static int by_length(const void *a, const void *b)
{
	const struct own_step *x = a, *y = b;

	return x->ns < y->ns ? -1 : x->ns > y->ns;
}

/* By what it spent without waiting; of those that other ranks have, too. NULL: there is none. */
static const struct why_step *middle_step(const struct table *steps, const struct why_rank *rank)
{
	struct own_step *list = alloc_zero(rank->count, sizeof(*list));
	const struct why_step *found;
	size_t n = 0;

	for (size_t i = 0; i < rank->count; i++) {
		const struct why_step *step = &rank->steps[i];
		const struct waits *w = step->lacks ? NULL : table_find(steps, (uint64_t)step->step);

		if (w && w->ranks > 1)
			list[n++] = (struct own_step){ step->length - step->waited, step };
	}
	qsort(list, n, sizeof(*list), by_length);
	found = n ? list[n / 2].step : NULL;
	free(list);
	return found;
}

/* ---- the rank whose steps are longest ---- */

/* The middle of the others. */
static struct spread others_of(const struct why_run *run, const int64_t *lengths, size_t rank)
{
	int64_t *list = alloc_zero(run->count, sizeof(*list));
	struct spread s;
	size_t n = 0;

	for (size_t r = 0; r < run->count; r++)
		if (r != rank && lengths[r])
			list[n++] = lengths[r];
	s = reference_spread(list, n);
	free(list);
	return s;
}

/* NULL: there is none by a fifth longer than the others. */
static const struct why_rank *slowest(const struct why_run *run)
{
	int64_t *lengths = alloc_zero(run->count, sizeof(*lengths)), more, noise;
	struct spread others;
	size_t most = 0, count;

	for (size_t r = 0; r < run->count; r++) {
		struct spread own = reference_of_rank(&run->ranks[r], true, &count);

		lengths[r] = count < STEPS_LEAST ? 0 : own.median;
		most = lengths[r] > lengths[most] ? r : most;
	}
	others = others_of(run, lengths, most);
	more = run->count ? lengths[most] - others.median : 0;
	noise = run->count ? reference_of_rank(&run->ranks[most], true, &count).noise : 0;
	free(lengths);
	return others.median && more > others.median / PARTS_LONGER && more > SPREADS_LONGER * others.noise && more > noise ? &run->ranks[most] : NULL;
}

/* Without waiting, than the same step of others. */
static bool is_longer(const struct why_step *step, const struct reference *others)
{
	struct spread its = reference_length(others, true);

	return others->count && (int64_t)(step->length - step->waited) > its.median;
}

/* ---- both ---- */

static void take_rank(struct table *steps, const struct why_run *run, const struct why_rank *rank)
{
	size_t count, from = 0;
	struct meeting_piece *pieces = kept_pieces(run, rank, &count);

	for (size_t i = 0; i < rank->count; i++) {
		const struct why_step *step = &rank->steps[i];
		size_t end = step->ends.pieces < count ? step->ends.pieces : count;

		if (!step->lacks)
			take_step(waits_of(steps, run, step->step), step, &pieces[from], end - from);
		from = end;
	}
	free(pieces);
}

static struct table steps_of(const struct why_run *run)
{
	struct table steps = TABLE(struct waits);

	for (size_t r = 0; r < run->count; r++)
		take_rank(&steps, run, &run->ranks[r]);
	return steps;
}

static void free_steps(struct table *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		free(((struct waits *)table_item(steps, i))->for_rank);
	table_free(steps);
}

bool straggler_find(struct why_finding *f, const struct why_run *run)
{
	struct table steps = steps_of(run);
	size_t last, number = find_rank(&steps, run, &last);
	bool is_last = last >= STEPS_LEAST && last * 100 >= steps.count * MOST_PERCENT;
	const struct why_rank *rank = is_last ? &run->ranks[number] : slowest(run);
	const struct why_step *step = rank ? middle_step(&steps, rank) : NULL;
	struct reference others;

	free_steps(&steps);
	if (!step)
		return false;
	others = reference_of_others(run, rank, step);
	if (!is_last && !is_longer(step, &others)) {
		reference_free(&others);
		return false;
	}
	why_finding_make(f, rank, step, others, true);
	why_finding_explain(f, run);
	f->steps_last = is_last ? last : 0;
	f->is_slowest = !is_last;
	return true;
}
