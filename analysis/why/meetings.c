#include "analysis/why/meetings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/why/kept.h"
#include "analysis/why/matching.h"

typedef void take_time(void *context, uint32_t rank, const struct why_step *step, const struct meeting_time *time);

static void for_each_time(const struct why_run *run, take_time *take, void *context)
{
	for (uint32_t r = 0; r < run->count; r++) {
		const struct why_rank *rank = &run->ranks[r];
		size_t count, k = 0;
		struct meeting_time *times = kept_times(run, rank, &count);

		for (size_t i = 0; i < rank->count; i++)
			for (; k < count && k < rank->steps[i].ends.times; k++)
				take(context, r, &rank->steps[i], &times[k]);
		free(times);
	}
}

/* ---- is any other rank there? ---- */

struct company {
	struct table ranks; /* uint32_t rank + 1 by meeting */
	bool others;
};

static void look_for_others(void *context, uint32_t rank, const struct why_step *step, const struct meeting_time *time)
{
	struct company *c = context;
	uint32_t *first;

	(void)step;
	if (time->by_host)
		return;
	first = table_put(&c->ranks, time->meeting);
	c->others |= *first && *first != rank + 1;
	*first = rank + 1;
}

/* By their numbers, which may be wrong, but are there. */
static bool is_alone(const struct why_run *run)
{
	struct company c = { .ranks = TABLE(uint32_t) };
	bool alone;

	for_each_time(run, look_for_others, &c);
	alone = c.ranks.count && !c.others;
	table_free(&c.ranks);
	return alone;
}

/* ---- who comes last ---- */

struct noting {
	struct table *meetings;
	const struct clocks *clocks;
};

static void note_arrival(struct meeting *m, uint64_t arrived, uint32_t rank, int64_t step)
{
	if (m->last && arrived <= m->before)
		return;
	if (m->last && arrived <= m->last) {
		m->before = arrived;
		m->rank_before = rank;
		return;
	}
	m->before = m->last;
	m->rank_before = m->rank;
	m->last = arrived;
	m->rank = rank;
	m->step = step;
}

static void note(void *context, uint32_t rank, const struct why_step *step, const struct meeting_time *time)
{
	const struct noting *n = context;
	struct meeting *m = table_put(n->meetings, time->meeting);
	const struct host_clock *clock = clocks_of(n->clocks, rank);

	if (m->seen == rank + 1)
		return; /* a step that was begun twice */
	m->seen = rank + 1;
	m->ranks++;
	m->by_host = time->by_host;
	if (clock->known)
		note_arrival(m, time->arrived + (uint64_t)clock->offset, rank, step->step);
}

#define DOUBT_MOST (INT64_MAX / RESIDUALS_TO_TELL / 2)

int64_t meetings_doubt(const struct clocks *clocks, uint32_t rank, uint32_t other)
{
	const struct host_clock *own = clocks_of(clocks, rank), *others = clocks_of(clocks, other);

	if (own == others)
		return 0;
	return own->residual > DOUBT_MOST || others->residual > DOUBT_MOST ? INT64_MAX : RESIDUALS_TO_TELL * (own->residual + others->residual);
}

/* When the last rank came, by the piece's own clock and within it. What the two clocks may be apart by is no waiting. */
static uint64_t when_last_came(const struct clocks *clocks, const struct meeting *m, uint32_t rank, const struct meeting_piece *piece)
{
	const struct host_clock *own = clocks_of(clocks, rank);
	uint64_t came = m->last - (uint64_t)own->offset;

	if (!own->known || m->rank == rank || (int64_t)(came - piece->arrived) <= meetings_doubt(clocks, rank, m->rank))
		return piece->begin;
	return came < piece->begin ? piece->begin : came > piece->end ? piece->end
								      : came;
}

struct sharing {
	struct why_run *run;
	const struct clocks *clocks;
	const struct table *meetings;
	struct table waits; /* uint32_t subject + 1, by those of the piece and the rank */
};

static uint32_t wait_for(struct sharing *s, uint32_t subject, uint32_t last)
{
	uint32_t *known = table_put(&s->waits, ((uint64_t)subject << 32 | last) * 0x9E3779B97F4A7C15u | TABLE_NEAR);
	struct subjects *subjects = &s->run->subjects;
	char rank[16];

	if (!*known) {
		snprintf(rank, sizeof(rank), "%" PRIu32, last);
		*known = subjects_number(subjects, WHY_WAIT, subjects_get(subjects, subject)->name, rank) + 1;
	}
	return *known - 1;
}

static void share(struct sharing *s, uint32_t rank, struct why_step *step, struct meeting_piece *piece)
{
	const struct meeting *m = table_find(s->meetings, piece->meeting);

	piece->came = m ? when_last_came(s->clocks, m, rank, piece) : piece->begin;
	piece->last = m ? m->rank : rank;
	step->waited += piece->came - piece->begin;
	if (piece->came > piece->begin)
		piece->wait = wait_for(s, piece->subject, piece->last);
}

bool meetings_share(struct why_run *run, const struct clocks *clocks, struct table *meetings)
{
	struct sharing s = { run, clocks, meetings, TABLE(uint32_t) };
	bool alone = is_alone(run);

	*meetings = TABLE(struct meeting);
	meetings_match(run, clocks);
	for_each_time(run, note, &(struct noting){ meetings, clocks });
	for (uint32_t r = 0; r < run->count; r++) {
		struct why_rank *rank = &run->ranks[r];
		size_t count, k = 0;
		struct meeting_piece *pieces = kept_pieces(run, rank, &count);

		rank->offset = clocks_of(clocks, r)->offset;
		for (size_t i = 0; i < rank->count; i++)
			for (; k < count && k < rank->steps[i].ends.pieces; k++)
				share(&s, r, &rank->steps[i], &pieces[k]);
		kept_change_pieces(run, rank, pieces);
		free(pieces);
	}
	table_free(&s.waits);
	return alone;
}

size_t meetings_last_number(const struct subject *wait)
{
	return strtoul(wait->detail, NULL, 10);
}

const struct why_rank *meetings_last(const struct why_run *run, const struct subject *wait)
{
	return &run->ranks[meetings_last_number(wait)];
}
