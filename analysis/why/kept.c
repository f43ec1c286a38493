#include "analysis/why/kept.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

/* ---- shares as bytes ---- */

enum { SHARE_EARLY = 1,
       SHARE_FIRST = 2,
       SHARE_INSIDE = 4,
       SHARE_TIMED = 8 };

/* Where its pieces begin is told from the step's begin on. Subjects have the numbers that they have there. */
static void parcel_share(struct parcel *p, struct share *s, uint64_t begin)
{
	uint16_t what = (uint16_t)((s->early ? SHARE_EARLY : 0) | (s->first ? SHARE_FIRST : 0) | (s->inside ? SHARE_INSIDE : 0) | (s->ns || s->longest || s->longest_at || s->first_at ? SHARE_TIMED : 0));
	uint64_t longest_at = s->longest_at - begin, first_at = s->first_at - begin;

	PARCEL(p, what);
	PARCEL(p, s->subject);
	PARCEL(p, s->count);
	PARCEL(p, s->bytes);
	if (what & SHARE_INSIDE)
		PARCEL(p, s->inside);
	s->early = what & SHARE_EARLY;
	s->first = what & SHARE_FIRST;
	if (!(what & SHARE_TIMED))
		return;
	PARCEL(p, s->ns);
	PARCEL(p, s->longest);
	PARCEL(p, longest_at);
	PARCEL(p, first_at);
	s->longest_at = longest_at + begin;
	s->first_at = first_at + begin;
}

static void pack_shares(struct parcel *p, const struct table *shares, uint64_t begin)
{
	for (size_t i = 0; i < shares->count; i++) {
		struct share s = *(const struct share *)table_item(shares, i);

		parcel_share(p, &s, begin);
	}
}

struct numbers {
	size_t count;
	uint32_t *list;
};

/* What is not there is none. */
static uint32_t number_of(const struct numbers *n, uint32_t subject)
{
	return subject < n->count ? n->list[subject] : 0;
}

static void open_shares(struct parcel *p, struct table *shares, uint64_t begin, const struct numbers *n)
{
	while (p->used < p->size) {
		struct share s = { 0 };

		parcel_share(p, &s, begin);
		if (p->broken)
			return;
		s.subject = number_of(n, s.subject);
		s.inside = s.inside ? number_of(n, s.inside - 1) + 1 : 0;
		*(struct share *)table_put(shares, s.subject) = s;
	}
}

/* ---- while a rank is read ---- */

/* Puts so many behind those that are there. */
static void *append(void *list, size_t *used, size_t *capacity, const void *more, size_t count, size_t size)
{
	if (*used + count > *capacity) {
		*capacity = 2 * *capacity > *used + count ? 2 * *capacity : *used + count;
		list = alloc_grow(list, *capacity, size);
	}
	if (count)
		memcpy((uint8_t *)list + *used * size, more, count * size);
	*used += count;
	return list;
}

void keeping_add(struct keeping *k, struct why_step *step, const struct split *split)
{
	pack_shares(&k->shares, &split->shares, step->begin);
	k->times = append(k->times, &k->time_count, &k->time_capacity, split->times, split->time_count, sizeof(*k->times));
	k->pieces = append(k->pieces, &k->piece_count, &k->piece_capacity, split->meetings, split->meeting_count, sizeof(*k->pieces));
	step->ends = (struct kept_ends){ k->shares.used, k->time_count, k->piece_count };
}

void keeping_free(struct keeping *k)
{
	free(k->shares.bytes);
	free(k->times);
	free(k->pieces);
	*k = (struct keeping){ 0 };
}

void kept_put(struct why_run *run, struct why_rank *rank, const struct keeping *k, const uint32_t *numbers, size_t count)
{
	struct kept *kept = &rank->kept;

	kept->numbers = shelf_put(&run->shelf, numbers, count * sizeof(*numbers));
	kept->shares = shelf_put(&run->shelf, k->shares.bytes, k->shares.used);
	kept->times = shelf_put(&run->shelf, k->times, k->time_count * sizeof(*k->times));
	kept->pieces = shelf_put(&run->shelf, k->pieces, k->piece_count * sizeof(*k->pieces));
}

void kept_drop(struct why_run *run, struct why_rank *rank)
{
	shelf_drop(&run->shelf, &rank->kept.numbers);
	shelf_drop(&run->shelf, &rank->kept.shares);
	shelf_drop(&run->shelf, &rank->kept.times);
	shelf_drop(&run->shelf, &rank->kept.pieces);
}

/* ---- when it is asked for ---- */

/* From one place on to another, in items of this size; count: how many these are. */
static void *part(const struct why_run *run, const struct shelved *of, uint64_t from, uint64_t to, size_t item_size, size_t *count)
{
	uint64_t all = of->size / item_size;
	void *list;

	to = to < all ? to : all;
	*count = from < to ? to - from : 0;
	list = alloc_grow(NULL, *count + 1, item_size);
	shelf_read(&run->shelf, of, from * item_size, list, *count * item_size);
	return list;
}

struct meeting_time *kept_times(const struct why_run *run, const struct why_rank *rank, size_t *count)
{
	return part(run, &rank->kept.times, 0, UINT64_MAX, sizeof(struct meeting_time), count);
}

void kept_change_times(const struct why_run *run, const struct why_rank *rank, const struct meeting_time *times)
{
	shelf_write(&run->shelf, &rank->kept.times, 0, times, rank->kept.times.size);
}

struct meeting_piece *kept_pieces(const struct why_run *run, const struct why_rank *rank, size_t *count)
{
	return part(run, &rank->kept.pieces, 0, UINT64_MAX, sizeof(struct meeting_piece), count);
}

void kept_change_pieces(const struct why_run *run, const struct why_rank *rank, const struct meeting_piece *pieces)
{
	shelf_write(&run->shelf, &rank->kept.pieces, 0, pieces, rank->kept.pieces.size);
}

/* Where its own begin. */
static struct kept_ends begins_of(const struct why_rank *rank, const struct why_step *step)
{
	return step == rank->steps ? (struct kept_ends){ 0 } : step[-1].ends;
}

struct meeting_piece *kept_pieces_of(const struct why_run *run, const struct why_step *step, size_t *count)
{
	const struct why_rank *rank = &run->ranks[step->rank];

	return part(run, &rank->kept.pieces, begins_of(rank, step).pieces, step->ends.pieces, sizeof(struct meeting_piece), count);
}

static void add_pieces(const struct why_run *run, const struct why_step *step, struct table *shares)
{
	size_t count;
	struct meeting_piece *pieces = kept_pieces_of(run, step, &count);

	for (size_t i = 0; i < count; i++) {
		const struct meeting_piece *piece = &pieces[i];

		if (piece->came > piece->begin)
			split_add(shares, piece->wait, piece->begin, piece->came)->count++;
		if (piece->end > piece->came)
			split_add(shares, piece->subject, piece->came, piece->end)->count += !piece->by_host; /* calls are counted */
	}
	free(pieces);
}

struct table kept_shares(const struct why_run *run, const struct why_step *step)
{
	const struct why_rank *rank = &run->ranks[step->rank];
	struct table shares = TABLE(struct share);
	struct numbers numbers;
	struct parcel p = { .opened = true };

	numbers.list = part(run, &rank->kept.numbers, 0, UINT64_MAX, sizeof(uint32_t), &numbers.count);
	p.bytes = part(run, &rank->kept.shares, begins_of(rank, step).shares, step->ends.shares, 1, &p.size);
	open_shares(&p, &shares, step->begin, &numbers);
	add_pieces(run, step, &shares);
	free(numbers.list);
	free(p.bytes);
	return shares;
}
