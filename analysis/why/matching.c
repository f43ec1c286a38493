#include "analysis/why/matching.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
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
	uint32_t kind;
	bool by_host;
};

struct matching {
	size_t count, capacity;
	struct met *list; /* by kind, and time */
	uint64_t made;
};

/* ---- in order ---- */

static int order(uint32_t kind, bool by_host, uint64_t begin, uint32_t other_kind, bool other_by_host, uint64_t other_begin)
{
	if (kind != other_kind)
		return kind < other_kind ? -1 : 1;
	if (by_host != other_by_host)
		return by_host ? 1 : -1;
	return begin < other_begin ? -1 : begin > other_begin;
}

static int by_time(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	return order(x->kind, x->by_host, x->begin, y->kind, y->by_host, y->begin);
}

static int by_time_met(const void *a, const void *b)
{
	const struct met *x = a, *y = b;

	return order(x->kind, x->by_host, x->begin, y->kind, y->by_host, y->begin);
}

/* All of a rank; the caller frees them. */
static struct call *calls_of(const struct why_rank *rank, const struct host_clock *clock, size_t *count)
{
	struct call *calls;
	size_t n = 0;

	for (size_t i = 0; i < rank->count; i++)
		n += rank->steps[i].split.time_count;
	calls = alloc_zero(n + 1, sizeof(*calls));
	*count = 0;
	for (size_t i = 0; i < rank->count; i++)
		for (size_t k = 0; k < rank->steps[i].split.time_count; k++) {
			struct meeting_time *time = &rank->steps[i].split.times[k];

			calls[(*count)++] = (struct call){ time->arrived + (uint64_t)clock->offset, time->left + (uint64_t)clock->offset, time,
							   meeting_kind(time->meeting), time->by_host };
		}
	qsort(calls, *count, sizeof(*calls), by_time);
	return calls;
}

/* ---- who meets ---- */

static bool same_kind(const struct met *m, const struct call *c)
{
	return m->kind == c->kind && m->by_host == c->by_host;
}

/* next: this rank was in the one before, too. */
static bool meets(const struct met *m, const struct call *c, bool next)
{
	uint64_t begin = m->begin > c->begin ? m->begin : c->begin, end = m->end < c->end ? m->end : c->end;
	uint64_t own = c->end - c->begin, others = m->end - m->begin;

	if (!same_kind(m, c) || begin >= end)
		return false;
	return next || m->counted == c->time->meeting || end - begin >= (own < others ? own : others) / 2;
}

/* The first from here on that this call meets; NULL: none. at: that one, or the first behind the call. */
static struct met *find(const struct matching *all, size_t *at, size_t count, const struct call *c, bool next)
{
	for (; *at < count; next = false, ++*at) {
		struct met *m = &all->list[*at];

		if (meets(m, c, next))
			return m;
		if (order(m->kind, m->by_host, 0, c->kind, c->by_host, 0) > 0 || (same_kind(m, c) && m->end > c->end))
			return NULL;
	}
	return NULL;
}

static struct met *add(struct matching *all, const struct call *c)
{
	if (all->count == all->capacity) {
		all->capacity = all->capacity ? 2 * all->capacity : 256;
		all->list = alloc_grow(all->list, all->capacity, sizeof(*all->list));
	}
	all->list[all->count] = (struct met){ c->begin, c->end, meeting_make(c->kind, 0) + ++all->made, c->time->meeting, c->kind, c->by_host };
	return &all->list[all->count++];
}

/* The rank's own numbers lead to the new ones. */
static void match_rank(struct matching *all, struct table *numbers, const struct call *calls, size_t count)
{
	size_t before = all->count, at = 0;
	bool next = false;

	for (size_t i = 0; i < count; i++) {
		const struct call *c = &calls[i];
		struct met *m = find(all, &at, before, c, next);

		next = m;
		at += next;
		if (!m)
			m = add(all, c);
		m->begin = m->begin > c->begin ? m->begin : c->begin;
		m->end = m->end < c->end ? m->end : c->end;
		*(uint64_t *)table_put(numbers, c->time->meeting) = m->meeting;
		c->time->meeting = m->meeting;
	}
	qsort(all->list, all->count, sizeof(*all->list), by_time_met);
}

/* Of a collective that began before its step was recorded nothing is known but the piece. */
static void number_pieces(struct why_rank *rank, const struct table *numbers)
{
	for (size_t i = 0; i < rank->count; i++)
		for (size_t k = 0; k < rank->steps[i].split.meeting_count; k++) {
			struct meeting_piece *piece = &rank->steps[i].split.meetings[k];
			const uint64_t *number = table_find(numbers, piece->meeting);

			if (number)
				piece->meeting = *number;
		}
}

void meetings_match(struct why_run *run, const struct clocks *clocks)
{
	struct matching all = { 0 };

	for (uint32_t r = 0; r < run->count; r++) {
		const struct host_clock *clock = clocks_of(clocks, r);
		struct table numbers = TABLE(uint64_t);
		size_t count;
		struct call *calls;

		if (!clock->known)
			continue;
		calls = calls_of(&run->ranks[r], clock, &count);
		match_rank(&all, &numbers, calls, count);
		number_pieces(&run->ranks[r], &numbers);
		table_free(&numbers);
		free(calls);
	}
	free(all.list);
}
