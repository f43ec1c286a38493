#include "analysis/why/usual.h"

#include <stddef.h>
#include <stdlib.h>

#include "analysis/util/alloc.h"

static uint32_t new_piece(struct usual *u, const struct share *share)
{
	if (u->piece_count == u->piece_capacity) {
		u->piece_capacity = u->piece_capacity ? 2 * u->piece_capacity : 256;
		u->pieces = alloc_grow(u->pieces, u->piece_capacity, sizeof(*u->pieces));
	}
	u->pieces[u->piece_count] = (struct usual_piece){ (uint32_t)u->count, 0, share->ns, share->count, share->bytes, share->longest };
	return (uint32_t)u->piece_count++;
}

void usual_add(struct usual *u, const struct table *shares)
{
	for (size_t i = 0; i < shares->count; i++) {
		const struct share *share = table_item(shares, i);
		struct usual_subject *s = table_put(&u->subjects, share->subject);
		uint32_t piece = new_piece(u, share);

		if (s->steps++)
			u->pieces[s->last].next = piece;
		else
			s->first = piece;
		s->subject = share->subject;
		s->last = piece;
		s->there |= share->count;
	}
	u->count++;
}

static struct spread spread_of(const struct usual *u, const struct usual_subject *s, size_t at, int64_t *values)
{
	uint32_t next = s->first;

	for (size_t i = 0; i < u->count; i++)
		values[i] = 0;
	for (size_t i = 0; i < s->steps; i++, next = u->pieces[next].next)
		values[u->pieces[next].step] = (int64_t) * (const uint64_t *)((const char *)&u->pieces[next] + at);
	return reference_spread(values, u->count);
}

struct usual_share usual_share(const struct usual *u, uint32_t subject, int64_t *values)
{
	const struct usual_subject *s = table_find(&u->subjects, subject);
	struct usual_share usual = { .there = s && s->there };

	if (s && 2 * s->steps >= u->count) { /* else the middle one has none, and so it is with how far others lie from that */
		usual.ns = spread_of(u, s, offsetof(struct usual_piece, ns), values);
		usual.count = spread_of(u, s, offsetof(struct usual_piece, count), values).median;
		usual.bytes = spread_of(u, s, offsetof(struct usual_piece, bytes), values).median;
		usual.longest = spread_of(u, s, offsetof(struct usual_piece, longest), values).median;
	}
	return usual;
}

void usual_free(struct usual *u)
{
	table_free(&u->subjects);
	free(u->pieces);
}
