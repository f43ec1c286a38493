#include "analysis/why/findings.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/why/kept.h"
#include "analysis/why/meetings.h"
#include "analysis/why/straggler.h"

#define SPREADS_STAND_OUT 4
#define FEW_STAND_OUT	  5  /* a fifth, where there are few to compare it with */
#define GOOD_PART	  4  /* a quarter */
#define PARTS_STAND_OUT	  20 /* a step that is less than a twentieth longer does not */

void why_finding_make(struct why_finding *f, const struct why_rank *rank, const struct why_step *step, struct reference reference, bool own)
{
	struct spread length;

	*f = (struct why_finding){ .rank = rank, .step = step, .reference = reference, .causes = { .own = own } };
	if (!reference.count)
		return;
	length = reference_length(&reference, own);
	f->causes.length = length.median;
	f->causes.noise = length.noise;
	f->causes.excess = (int64_t)(step->length - (own ? step->waited : 0)) - length.median;
	f->stands_out = f->causes.excess > SPREADS_STAND_OUT * f->causes.noise &&
			f->causes.excess > f->causes.length / (reference.count < REFERENCE_LEAST ? FEW_STAND_OUT : PARTS_STAND_OUT);
}

void why_finding_explain(struct why_finding *f, const struct why_run *run)
{
	struct usual usual = USUAL;
	struct table shares;

	if (!f->reference.count)
		return;
	for (size_t i = 0; i < f->reference.count; i++) {
		shares = kept_shares(run, f->reference.steps[i]);
		usual_add(&usual, &shares);
		table_free(&shares);
	}
	shares = kept_shares(run, f->step);
	causes_find(&f->causes, &run->subjects, f->step, &shares, &usual);
	table_free(&shares);
	usual_free(&usual);
	for (size_t i = 0; i < f->causes.count && !f->stands_out; i++)
		f->causes.list[i].confidence = CONFIDENCE_POSSIBLE; /* what such steps differ by themselves has no sure cause */
}

void why_finding_free(struct why_finding *f)
{
	if (f->waits_for) {
		why_finding_free(f->waits_for);
		free(f->waits_for);
	}
	reference_free(&f->reference);
	causes_free(&f->causes);
}

/* Ranks that wait for each other take the same time: what they spend by themselves tells them apart. */
static void make(struct why_finding *f, const struct why_run *run, const struct why_rank *rank, const struct why_step *step)
{
	struct reference none = { 0 }, reference = step->lacks ? none : reference_of(run, rank, step);

	why_finding_make(f, rank, step, reference, reference.other_ranks);
}

/* How much of this time, by the other rank's clock, the step of this rank takes. */
static int64_t overlap(const struct why_rank *rank, const struct why_step *step, const struct why_rank *other, uint64_t begin, uint64_t end)
{
	int64_t apart = other->offset - rank->offset, from = (int64_t)begin + apart, to = (int64_t)end + apart;

	from = (int64_t)step->begin > from ? (int64_t)step->begin : from;
	to = (int64_t)step->end < to ? (int64_t)step->end : to;
	return to - from;
}

/* The step that this rank was in meanwhile, most of the time: by its number it may be another one, where a queue calls collectives late. */
static const struct why_step *step_meanwhile(const struct why_rank *rank, const struct why_rank *other, uint64_t begin, uint64_t end)
{
	const struct why_step *found = NULL;
	int64_t most = 0;

	for (size_t i = 0; i < rank->count; i++) {
		int64_t ns = overlap(rank, &rank->steps[i], other, begin, end);

		if (ns > most) {
			most = ns;
			found = &rank->steps[i];
		}
	}
	return found;
}

/* The rank that it waited for most; NULL: it waited for none, or for something else more. */
static const struct why_rank *waited_for(const struct why_finding *f, const struct why_run *run)
{
	const struct cause *first = f->causes.list;

	if (!f->causes.count || first->kind != WHY_WAIT || first->subject == CAUSE_MANY)
		return NULL;
	return meetings_last(run, subjects_get(&run->subjects, first->subject));
}

/* One hop after the other, to the rank that waited for none. */
static void follow(struct why_finding *f, const struct why_run *run)
{
	why_finding_explain(f, run);
	for (size_t hops = 0; hops < run->count; hops++) {
		const struct why_rank *rank = waited_for(f, run);
		const struct cause *wait = f->causes.list;
		const struct why_step *step = rank && rank != f->rank ? step_meanwhile(rank, f->rank, wait->longest_at, wait->longest_at + wait->longest) : NULL;

		if (!step)
			return;
		f->waits_for = alloc_zero(1, sizeof(*f->waits_for));
		make(f->waits_for, run, rank, step);
		f = f->waits_for;
		why_finding_explain(f, run);
	}
}

static int most_first(const void *a, const void *b)
{
	const struct why_finding *x = a, *y = b;
	bool x_starts = x->step == x->rank->steps, y_starts = y->step == y->rank->steps;

	if (x_starts != y_starts)
		return x_starts ? 1 : -1;
	if (x->causes.excess != y->causes.excess)
		return x->causes.excess < y->causes.excess ? 1 : -1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->step < y->step ? -1 : x->step > y->step;
}

/* ---- by rank ---- */

#define MANY_STEPS 32

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* What all of its steps differ by tells, of many, that one does not stand out: half of what it takes is not there. */
static int64_t least_length(const struct why_rank *rank)
{
	size_t count;
	struct spread s = reference_of_rank(rank, false, &count);

	return count < MANY_STEPS ? 0 : s.median + larger(SPREADS_STAND_OUT * s.noise, s.median / PARTS_STAND_OUT) / 2;
}

static void add(struct findings_of_run *all, const struct why_finding *f)
{
	if (all->count == all->capacity) {
		all->capacity = all->capacity ? 2 * all->capacity : 64;
		all->list = alloc_grow(all->list, all->capacity, sizeof(*all->list));
	}
	all->list[all->count++] = *f;
}

/* Of one rank. */
static void make_rank(struct findings_of_run *all, const struct why_run *run, const struct why_rank *rank, const struct choice *asked)
{
	int64_t least = asked->steps.all ? least_length(rank) : 0;

	for (size_t k = 0; k < rank->count; k++) {
		const struct why_step *step = &rank->steps[k];
		struct why_finding f;

		if ((int64_t)step->length < least || !choice_has_step(asked, step->step) || (asked->steps.all && step->lacks))
			continue;
		make(&f, run, rank, step);
		if (asked->steps.all && !f.stands_out)
			why_finding_free(&f);
		else
			add(all, &f);
	}
}

static void make_all(struct findings_of_run *all, const struct why_run *run, const struct choice *asked)
{
	for (size_t i = 0; i < run->count; i++)
		if (choice_has_rank(asked, run->ranks[i].report.has_rank, run->ranks[i].report.rank))
			make_rank(all, run, &run->ranks[i], asked);
	if (all->count)
		qsort(all->list, all->count, sizeof(*all->list), most_first);
}

static void keep_first(struct findings_of_run *all, size_t most)
{
	for (; all->count > most; all->more++)
		why_finding_free(&all->list[--all->count]);
}

/* ---- by step ---- */

/* The last hop, where something of its own is found there. */
static void take_root(struct why_finding *f)
{
	while (f->waits_for && f->waits_for->causes.count && f->waits_for->causes.list[0].kind != WHY_UNEXPLAINED) {
		struct why_finding root = *f->waits_for;

		free(f->waits_for);
		f->waits_for = NULL;
		why_finding_free(f);
		*f = root;
	}
}

/* How long a step waited for a rank. */
static uint64_t waited_in(const struct why_run *run, const struct why_step *step, uint32_t last)
{
	size_t count;
	struct meeting_piece *pieces = kept_pieces_of(run, step, &count);
	uint64_t waited = 0;

	for (size_t i = 0; i < count; i++)
		if (pieces[i].last == last)
			waited += pieces[i].came - pieces[i].begin;
	free(pieces);
	return waited;
}

/* How long this rank waited for the finding's, while that was in its step. */
static uint64_t waited_meanwhile(const struct why_rank *rank, const struct why_finding *f, const struct why_run *run)
{
	uint64_t waited = 0;

	for (size_t i = 0; i < rank->count; i++)
		if (rank->steps[i].waited && overlap(rank, &rank->steps[i], f->rank, f->step->begin, f->step->end) > 0)
			waited += waited_in(run, &rank->steps[i], f->step->rank);
	return waited;
}

/* How many ranks waited for it, for a good part of what its step was too long. */
static size_t waiting_for(const struct why_finding *f, const struct why_run *run)
{
	size_t ranks = 0;

	for (size_t i = 0; i < run->count && f->causes.excess > 0; i++)
		ranks += &run->ranks[i] != f->rank && waited_meanwhile(&run->ranks[i], f, run) * GOOD_PART > (uint64_t)f->causes.excess;
	return ranks;
}

static bool is_among(const struct why_finding *list, size_t count, const struct why_finding *f)
{
	while (count && list[count - 1].step != f->step)
		count--;
	return count;
}

/* How often a step's number is among those that were looked at: size_t. */
static size_t *times_seen(struct table *seen, const struct why_finding *f)
{
	return table_put(seen, (uint64_t)f->step->step);
}

/* One of the steps that are told of? */
static bool is_told(const struct findings_of_run *all, size_t kept, const struct why_finding *f)
{
	while (kept && all->list[kept - 1].step->step != f->step->step)
		kept--;
	return kept;
}

/* Follows it to its root. False: that is told of by another. */
static bool find_root(struct findings_of_run *all, const struct why_run *run, size_t kept, struct why_finding *f)
{
	follow(f, run);
	take_root(f);
	if (is_among(all->list, kept, f))
		return false;
	f->waiting = waiting_for(f, run);
	return true;
}

/* Of each step the rank that it was longest for, or that this one waited for. */
static void keep_roots(struct findings_of_run *all, const struct why_run *run, size_t most)
{
	struct table seen = TABLE(size_t);
	size_t kept = 0;

	for (size_t i = 0; i < all->count; i++) {
		struct why_finding *f = &all->list[i];
		bool told = is_told(all, kept, f), left_out = !told && kept == most, keep;

		all->more += left_out && !*times_seen(&seen, f);
		keep = !told && !left_out && find_root(all, run, kept, f);
		++*times_seen(&seen, f);
		if (!keep) {
			why_finding_free(f);
			continue;
		}
		--*times_seen(&seen, &all->list[kept]);
		all->list[kept++] = *f;
		++*times_seen(&seen, f);
	}
	all->count = kept;
	table_free(&seen);
}

static void add_straggler(struct findings_of_run *all, const struct why_run *run)
{
	struct why_finding f;

	if (straggler_find(&f, run))
		add(all, &f);
}

void why_findings_make(struct findings_of_run *all, const struct why_run *run, const struct choice *asked)
{
	*all = (struct findings_of_run){ 0 };
	make_all(all, run, asked);
	if (asked->ranks.all) {
		keep_roots(all, run, asked->steps.all ? FINDINGS_MOST : all->count);
		if (asked->steps.all)
			add_straggler(all, run);
		return;
	}
	keep_first(all, asked->steps.all ? FINDINGS_MOST : all->count);
	for (size_t i = 0; i < all->count; i++)
		follow(&all->list[i], run);
}

void why_findings_free(struct findings_of_run *all)
{
	for (size_t i = 0; i < all->count; i++)
		why_finding_free(&all->list[i]);
	free(all->list);
}
