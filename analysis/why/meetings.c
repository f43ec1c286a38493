#include "analysis/why/meetings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/why/matching.h"

typedef void take_time(void *context, uint32_t rank, const struct why_step *step, const struct meeting_time *time);

static void for_each_time(const struct why_run *run, take_time *take, void *context)
{
	for (uint32_t r = 0; r < run->count; r++)
		for (size_t i = 0; i < run->ranks[r].count; i++) {
			const struct why_step *step = &run->ranks[r].steps[i];

			for (size_t k = 0; k < step->split.time_count; k++)
				take(context, r, step, &step->split.times[k]);
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

static void share(struct why_run *run, struct why_step *step, const struct meeting_piece *piece, uint64_t came, uint32_t last)
{
	struct subjects *subjects = &run->subjects;
	char rank[16];

	snprintf(rank, sizeof(rank), "%" PRIu32, last);
	step->waited += came - piece->begin;
	if (came > piece->begin)
		split_add(&step->split, subjects_number(subjects, WHY_WAIT, subjects_get(subjects, piece->subject)->name, rank), piece->begin, came)->count++;
	if (piece->end > came)
		split_add(&step->split, piece->subject, came, piece->end)->count += !piece->by_host; /* calls are counted */
}

bool meetings_share(struct why_run *run, const struct clocks *clocks, struct table *meetings)
{
	bool alone = is_alone(run);

	*meetings = TABLE(struct meeting);
	meetings_match(run, clocks);
	for_each_time(run, note, &(struct noting){ meetings, clocks });
	for (uint32_t r = 0; r < run->count; r++) {
		struct why_rank *rank = &run->ranks[r];

		rank->offset = clocks_of(clocks, r)->offset;
		for (size_t i = 0; i < rank->count; i++)
			for (size_t k = 0; k < rank->steps[i].split.meeting_count; k++) {
				const struct meeting_piece *piece = &rank->steps[i].split.meetings[k];
				const struct meeting *m = table_find(meetings, piece->meeting);

				share(run, &rank->steps[i], piece, m ? when_last_came(clocks, m, r, piece) : piece->begin, m ? m->rank : r);
			}
	}
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
