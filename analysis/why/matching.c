#include "analysis/why/matching.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/why/kept.h"
#include "analysis/why/meeting.h"

/* A collective of one rank, by the first host's clock. */
struct call {
	uint64_t begin, end;
	struct meeting_time *time;
	uint32_t kind;
	bool by_host;
};

/* When all ranks that are known to meet in it were in it. counted: the number that it had by those of its step on the first of them. */
struct met {
	uint64_t begin, end, meeting, counted;
};

/* Those of one kind, by time. */
struct mets {
	size_t count, capacity;
	struct met *list;
};

struct matching {
	struct table kinds; /* struct mets by kind, and whether they are of calls */
	uint64_t made;
};

/* ---- in order ---- */

static bool same_kind(const struct call *a, const struct call *b)
{
	return a->kind == b->kind && a->by_host == b->by_host;
}

static int by_time(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->by_host != y->by_host)
		return x->by_host ? 1 : -1;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static int by_time_met(const void *a, const void *b)
{
	const struct met *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* They come nearly in order, and often quite. */
static void sort(struct mets *all)
{
	for (size_t i = 1; i < all->count; i++)
		if (all->list[i - 1].begin > all->list[i].begin) {
			qsort(all->list, all->count, sizeof(*all->list), by_time_met);
			return;
		}
}

/* All of a rank; the caller frees them. */
static struct call *calls_of(struct meeting_time *times, size_t count, const struct host_clock *clock)
{
	struct call *calls = alloc_zero(count + 1, sizeof(*calls));

	for (size_t i = 0; i < count; i++)
		calls[i] = (struct call){ times[i].arrived + (uint64_t)clock->offset, times[i].left + (uint64_t)clock->offset, &times[i],
					  meeting_kind(times[i].meeting), times[i].by_host };
	if (count)
		qsort(calls, count, sizeof(*calls), by_time);
	return calls;
}

/* ---- who meets ---- */

/* next: this rank was in the one before, too. */
static bool meets(const struct met *m, const struct call *c, bool next)
{
	uint64_t begin = m->begin > c->begin ? m->begin : c->begin, end = m->end < c->end ? m->end : c->end;
	uint64_t own = c->end - c->begin, others = m->end - m->begin;

	if (begin >= end)
		return false;
	return next || m->counted == c->time->meeting || end - begin >= (own < others ? own : others) / 2;
}

/* The first from here on that this call meets; NULL: none. at: that one, or the first behind the call. */
static struct met *find(const struct mets *all, size_t *at, size_t count, const struct call *c, bool next)
{
	for (; *at < count; next = false, ++*at) {
		struct met *m = &all->list[*at];

		if (meets(m, c, next))
			return m;
		if (m->end > c->end)
			return NULL;
	}
	return NULL;
}

static struct met *add(struct mets *all, const struct call *c, uint64_t number)
{
	if (!all->list || all->count == all->capacity) {
		all->capacity = all->capacity ? 2 * all->capacity : 64;
		all->list = alloc_grow(all->list, all->capacity, sizeof(*all->list));
	}
	all->list[all->count] = (struct met){ c->begin, c->end, meeting_make(c->kind, 0) + number, c->time->meeting };
	return &all->list[all->count++];
}

/* Of one rank and kind. Its own numbers lead to the new ones. */
static void match_kind(struct matching *all, struct table *numbers, const struct call *calls, size_t count)
{
	struct mets *mets = table_put(&all->kinds, ((uint64_t)calls->kind << 1 | calls->by_host) + (1ull << 40)); /* none is near */
	size_t before = mets->count, at = 0;
	bool next = false;

	for (size_t i = 0; i < count; i++) {
		const struct call *c = &calls[i];
		struct met *m = find(mets, &at, before, c, next);

		next = m;
		at += next;
		if (!m)
			m = add(mets, c, ++all->made);
		m->begin = m->begin > c->begin ? m->begin : c->begin;
		m->end = m->end < c->end ? m->end : c->end;
		*(uint64_t *)table_put(numbers, c->time->meeting) = m->meeting;
		c->time->meeting = m->meeting;
	}
	sort(mets);
}

static void match_rank(struct matching *all, struct table *numbers, const struct call *calls, size_t count)
{
	size_t end;

	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && same_kind(&calls[i], &calls[end]);)
			end++;
		match_kind(all, numbers, &calls[i], end - i);
	}
}

/* Of a collective that began before its step was recorded nothing is known but the piece. */
static void number_pieces(const struct why_run *run, const struct why_rank *rank, const struct table *numbers)
{
	size_t count;
	struct meeting_piece *pieces = kept_pieces(run, rank, &count);

	for (size_t i = 0; i < count; i++) {
		const uint64_t *number = table_find(numbers, pieces[i].meeting);

		if (number)
			pieces[i].meeting = *number;
	}
	kept_change_pieces(run, rank, pieces);
	free(pieces);
}

static void renumber(struct matching *all, const struct why_run *run, const struct why_rank *rank, const struct host_clock *clock)
{
	struct table numbers = TABLE(uint64_t);
	size_t count;
	struct meeting_time *times = kept_times(run, rank, &count);
	struct call *calls = calls_of(times, count, clock);

	match_rank(all, &numbers, calls, count);
	kept_change_times(run, rank, times);
	number_pieces(run, rank, &numbers);
	table_free(&numbers);
	free(calls);
	free(times);
}

void meetings_match(struct why_run *run, const struct clocks *clocks)
{
	struct matching all = { .kinds = TABLE(struct mets) };

	for (uint32_t r = 0; r < run->count; r++)
		if (clocks_of(clocks, r)->known)
			renumber(&all, run, &run->ranks[r], clocks_of(clocks, r));
	for (size_t i = 0; i < all.kinds.count; i++)
		free(((struct mets *)table_item(&all.kinds, i))->list);
	table_free(&all.kinds);
}
