#include "analysis/why/meetings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/why/matching.h"

struct meeting {
	uint64_t last; /* when its last rank came */
	uint32_t rank; /* which one that is, in run->ranks */
};

typedef void take_piece(void *context, struct why_step *step, uint32_t rank, const struct meeting_piece *piece);

static void for_each_piece(const struct why_run *run, take_piece *take, void *context)
{
	for (uint32_t r = 0; r < run->count; r++)
		for (size_t i = 0; i < run->ranks[r].count; i++) {
			struct why_step *step = &run->ranks[r].steps[i];

			for (size_t k = 0; k < step->split.meeting_count; k++)
				take(context, step, r, &step->split.meetings[k]);
		}
}

/* ---- is any other rank there? ---- */

struct company {
	struct table ranks; /* uint32_t rank + 1 by meeting */
	bool others;
};

static void look_for_others(void *context, struct why_step *step, uint32_t rank, const struct meeting_piece *piece)
{
	struct company *c = context;
	uint32_t *first;

	(void)step;
	if (piece->by_host)
		return;
	first = table_put(&c->ranks, piece->meeting);
	c->others |= *first && *first != rank + 1;
	*first = rank + 1;
}

static bool is_alone(const struct why_run *run)
{
	struct company c = { .ranks = TABLE(uint32_t) };
	bool alone;

	for_each_piece(run, look_for_others, &c);
	alone = c.ranks.count && !c.others;
	table_free(&c.ranks);
	return alone;
}

/* ---- who comes last ---- */

struct sharing {
	struct why_run *run;
	const struct clocks *clocks;
	struct table meetings;
};

static void note(void *context, struct why_step *step, uint32_t rank, const struct meeting_piece *piece)
{
	struct sharing *s = context;
	struct meeting *m = table_put(&s->meetings, piece->meeting);
	const struct host_clock *clock = clocks_of(s->clocks, rank);
	uint64_t arrived = piece->arrived + (uint64_t)clock->offset;

	(void)step;
	if (!clock->known || arrived <= m->last)
		return;
	m->last = arrived;
	m->rank = rank;
}

/* When the last rank came, by the piece's own clock and within it. What the two clocks may be apart by is no waiting. */
static uint64_t when_last_came(const struct clocks *clocks, const struct meeting *m, uint32_t rank, const struct meeting_piece *piece)
{
	const struct host_clock *own = clocks_of(clocks, rank), *last = clocks_of(clocks, m->rank);
	uint64_t came = m->last - (uint64_t)own->offset;
	int64_t doubt = own == last ? 0 : RESIDUALS_TO_TELL * (own->residual + last->residual);

	if (!own->known || m->rank == rank || (int64_t)(came - piece->arrived) <= doubt)
		return piece->begin;
	return came < piece->begin ? piece->begin : came > piece->end ? piece->end
								      : came;
}

static void share(void *context, struct why_step *step, uint32_t rank, const struct meeting_piece *piece)
{
	struct sharing *s = context;
	struct subjects *subjects = &s->run->subjects;
	const struct meeting *m = table_find(&s->meetings, piece->meeting);
	uint64_t came = when_last_came(s->clocks, m, rank, piece);
	char last[16];

	snprintf(last, sizeof(last), "%" PRIu32, m->rank);
	step->waited += came - piece->begin;
	if (came > piece->begin)
		split_add(&step->split, subjects_number(subjects, WHY_WAIT, subjects_get(subjects, piece->subject)->name, last), piece->begin, came)->count++;
	if (piece->end > came)
		split_add(&step->split, piece->subject, came, piece->end)->count += !piece->by_host; /* calls are counted */
}

bool meetings_share(struct why_run *run, const struct clocks *clocks)
{
	struct sharing s = { run, clocks, TABLE(struct meeting) };
	bool alone = is_alone(run);

	for (uint32_t r = 0; r < run->count; r++)
		run->ranks[r].offset = clocks_of(clocks, r)->offset;
	meetings_match(run, clocks);
	for_each_piece(run, note, &s);
	for_each_piece(run, share, &s);
	table_free(&s.meetings);
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
