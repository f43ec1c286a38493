#include "agent/steps/optimizer_rounds.h"
#include "agent/base/attributes.h"

#define ALONE	     100 /* steps in a row: what others stepped before does not matter any more */
#define ALONE_SO_FAR 10	 /* the same, where no round was ever known */

static struct optimizer_run *run_at(struct optimizer_rounds *r, uint64_t n)
{
	return &r->run[n % OPTIMIZER_RUNS];
}

static uint64_t remembered(const struct optimizer_rounds *r)
{
	uint64_t all = r->runs - r->first_run;

	return all < OPTIMIZER_RUNS ? all : OPTIMIZER_RUNS;
}

static bool has(struct optimizer_rounds *r, uint64_t last, uint32_t count, uint32_t who)
{
	for (uint32_t i = 0; i < count; i++)
		if (run_at(r, last - i)->who == who)
			return true;
	return false;
}

static struct optimizer_run *add(struct optimizer_rounds *r, uint32_t who)
{
	struct optimizer_run *run = run_at(r, r->runs);

	if (r->runs == r->first_run || run->who != who) {
		run = run_at(r, ++r->runs);
		*run = (struct optimizer_run){ .who = who };
	}
	run->times++;
	return run;
}

/* ---- a round that is known ---- */

/* Is it what the round says? */
static bool is_expected(struct optimizer_rounds *r, const struct optimizer_run *run)
{
	if (r->period == 1)
		return r->runs == r->last;
	if (r->runs > r->last || r->runs + r->period == r->last || run->who != run_at(r, r->runs - r->period)->who)
		return false;
	return run->times <= (r->runs == r->last ? r->last_times : r->longest);
}

static bool ends_round(struct optimizer_rounds *r, const struct optimizer_run *run)
{
	if (r->period == 1)
		return true;
	if (r->runs < r->last || run->times < r->last_times)
		return false;
	r->last += r->period;
	return true;
}

static void forget_round(struct optimizer_rounds *r)
{
	if (!r->period)
		return;
	r->old_last = r->period == 1 ? r->last : r->last - r->period;
	r->old_period = r->period;
	r->period = 0;
}

/* ---- one that is not ---- */

/* Of those that it ever stepped in a row, the most; the present ones are not among them. */
static uint32_t most_in_a_row(struct optimizer_rounds *r, uint32_t who)
{
	uint32_t most = 0;

	for (uint64_t n = r->runs - remembered(r) + 1; n < r->runs; n++)
		if (run_at(r, n)->who == who && run_at(r, n)->times > most)
			most = run_at(r, n)->times;
	return most;
}

/* Is nobody else to be waited for? It was the first, or steps more than twice as often in a row as it did in a round. */
static bool is_alone(struct optimizer_rounds *r, const struct optimizer_run *run)
{
	if (run->times < 2 || run->times > ALONE || r->runs == r->first_run + 1)
		return run->times > 1;
	return run->times > (r->old_period ? 2 * (uint64_t)most_in_a_row(r, run->who) : ALONE_SO_FAR);
}

/* The last one steps as often in either, others as they like. */
static bool has_repeated(struct optimizer_rounds *r, uint32_t period)
{
	uint32_t last = run_at(r, r->runs)->who;

	for (uint32_t i = 0; i < period; i++) {
		const struct optimizer_run *a = run_at(r, r->runs - i), *b = run_at(r, r->runs - period - i);

		if (a->who != b->who || (a->who == last && a->times != b->times))
			return false;
	}
	return true;
}

/* Of the round before, has one gone, and the one that ended it not? Then that one ends it still. */
static bool one_has_gone(struct optimizer_rounds *r, uint32_t period)
{
	if (!r->old_period || r->runs - r->old_last + r->old_period > OPTIMIZER_RUNS ||
	    !has(r, r->runs, period, run_at(r, r->old_last)->who))
		return false;
	for (uint32_t i = 0; i < r->old_period; i++)
		if (!has(r, r->runs, period, run_at(r, r->old_last - i)->who))
			return true;
	return false;
}

/* A round has no beginning: the last one of it is the one that was met last. */
static bool is_last(struct optimizer_rounds *r, uint32_t period)
{
	uint32_t who = run_at(r, r->runs)->who;

	if (one_has_gone(r, period))
		return who == run_at(r, r->old_last)->who;
	for (uint32_t i = 0; i < period; i++)
		if (run_at(r, r->runs - i)->who > who)
			return false;
	return true;
}

static uint32_t find_period(struct optimizer_rounds *r, const struct optimizer_run *run)
{
	uint64_t most = remembered(r) / 2;

	if (is_alone(r, run))
		return 1;
	for (uint32_t period = 2; period <= most; period++)
		if (has_repeated(r, period) && is_last(r, period))
			return period;
	return 0;
}

/* The steps of one that was alone meanwhile are no measure: those of the round before are. */
static uint32_t times_in_round(struct optimizer_rounds *r, uint64_t n)
{
	return run_at(r, r->old_period == 1 && n == r->old_last ? n - r->period : n)->times;
}

static void learn(struct optimizer_rounds *r, const struct optimizer_run *run)
{
	r->period = find_period(r, run);
	if (!r->period)
		return;
	r->last = r->period == 1 ? r->runs : r->runs + r->period;
	r->last_times = run->times;
	r->longest = r->optimizers = 0;
	for (uint32_t i = 0; i < r->period; i++) {
		uint32_t times = times_in_round(r, r->runs - i);

		if (i && times > r->longest)
			r->longest = times;
		r->optimizers += !has(r, r->runs, i, run_at(r, r->runs - i)->who);
	}
}

/*
 * Steps of the first run. One that is alone ends them rightly, unless it turns out to be one of others: where the critic
 * steps three times first, those were no steps.
 */
static void judge_first(struct optimizer_rounds *r, const struct optimizer_run *run)
{
	const struct optimizer_run *first = run_at(r, r->first_run + 1);

	if (r->learned || r->runs - r->first_run > OPTIMIZER_RUNS)
		return;
	if (r->runs == r->first_run + 1)
		r->provisional_to = !r->period;
	else if (r->period == 1 || first->times > ALONE || (r->period && first->times > r->longest))
		r->provisional_to = 0;
	else if (r->period || (r->runs == r->first_run + 2 && run->times == 1))
		r->provisional_to = first->times;
	r->learned = r->period > 1;
}

static NOINLINE void look_for_round(struct optimizer_rounds *r, const struct optimizer_run *run)
{
	r->looked++;
	forget_round(r);
	learn(r, run);
	r->doubtful = r->runs > r->first_run + 1;
	judge_first(r, run);
}

/* ---- */

void optimizer_rounds_forget(struct optimizer_rounds *r)
{
	r->first_run = r->runs;
	r->period = r->old_period = 0;
	r->provisional_to = 0;
	r->learned = r->doubtful = false;
}

bool optimizer_rounds_unsure(const struct optimizer_rounds *r)
{
	uint64_t runs = r->runs - r->first_run;

	return runs && runs <= OPTIMIZER_RUNS && !r->learned && (runs == 1 || !r->period) &&
	       r->run[(r->first_run + 1) % OPTIMIZER_RUNS].times <= ALONE;
}

/*
 * While no round is known each optimizer's steps count, and the most of them is the step; one that comes late or has rested
 * counts on from there. Which is to say: a step ends when an optimizer steps again that has stepped since the last one ended.
 */
static bool has_most_steps(const struct optimizer_rounds *r, uint64_t step)
{
	return r->runs == r->first_run || step == r->steps;
}

struct optimizer_stepped optimizer_rounds_take(struct optimizer_rounds *r, uint32_t who, uint64_t *step)
{
	struct optimizer_stepped s = { .ends = has_most_steps(r, *step) };
	const struct optimizer_run *run = add(r, who);

	if (r->period && is_expected(r, run)) {
		s.ends = ends_round(r, run);
	} else {
		look_for_round(r, run);
	}
	if (s.ends) {
		r->steps++;
		s.provisional = r->doubtful;
		r->doubtful &= !r->period;
	}
	*step = r->steps;
	return s;
}
