#include "analysis/why/meetings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct meeting {
	uint64_t last; /* when its last rank came */
	uint32_t rank; /* which one that is, in run->ranks */
	uint32_t ranks;
	uint32_t seen; /* rank + 1: a collective may be in several pieces */
};

static void note(struct table *meetings, const struct meeting_piece *piece, uint32_t rank, const struct host_clock *clock)
{
	struct meeting *m = table_put(meetings, piece->meeting);
	uint64_t arrived = piece->arrived + (uint64_t)clock->offset;

	m->ranks += m->seen != rank + 1;
	m->seen = rank + 1;
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

static void share(struct why_run *run, struct why_step *step, const struct meeting *m, uint64_t came, const struct meeting_piece *piece)
{
	struct split *s = &step->split;
	char rank[16];

	snprintf(rank, sizeof(rank), "%" PRIu32, m->rank);
	step->waited += came - piece->begin;
	if (came > piece->begin)
		split_add(s, subjects_number(&run->subjects, WHY_WAIT, subjects_get(&run->subjects, piece->subject)->name, rank), piece->begin, came)->count++;
	if (piece->end > came)
		split_add(s, piece->subject, came, piece->end)->count++;
}

bool meetings_share(struct why_run *run, const struct clocks *clocks)
{
	struct table meetings = TABLE(struct meeting);
	bool alone = false, met = false;

	for (uint32_t r = 0; r < run->count; r++)
		for (size_t i = 0; i < run->ranks[r].count; i++)
			for (size_t k = 0; k < run->ranks[r].steps[i].split.meeting_count; k++)
				note(&meetings, &run->ranks[r].steps[i].split.meetings[k], r, clocks_of(clocks, r));
	for (uint32_t r = 0; r < run->count; r++)
		for (size_t i = 0; i < run->ranks[r].count; i++) {
			struct why_step *step = &run->ranks[r].steps[i];

			for (size_t k = 0; k < step->split.meeting_count; k++) {
				const struct meeting_piece *piece = &step->split.meetings[k];
				const struct meeting *m = table_find(&meetings, piece->meeting);

				share(run, step, m, when_last_came(clocks, m, r, piece), piece);
				alone |= m->ranks < 2;
				met |= m->ranks > 1;
			}
		}
	table_free(&meetings);
	return alone && !met;
}

size_t meetings_last_number(const struct subject *wait)
{
	return strtoul(wait->detail, NULL, 10);
}

const struct why_rank *meetings_last(const struct why_run *run, const struct subject *wait)
{
	return &run->ranks[meetings_last_number(wait)];
}
