#include "analysis/why/meetings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void note(struct meeting *m, const struct meeting_time *time, uint32_t rank, int64_t step, const struct host_clock *clock)
{
	uint64_t arrived = time->arrived + (uint64_t)clock->offset;

	if (m->seen == rank + 1)
		return; /* a step that was begun twice */
	m->seen = rank + 1;
	m->ranks++;
	if (!clock->known || (m->last && arrived <= m->before))
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

struct table meetings_of(const struct why_run *run, const struct clocks *clocks)
{
	struct table meetings = TABLE(struct meeting);

	for (uint32_t r = 0; r < run->count; r++)
		for (size_t i = 0; i < run->ranks[r].count; i++) {
			const struct why_step *step = &run->ranks[r].steps[i];

			for (size_t k = 0; k < step->split.time_count; k++)
				note(table_put(&meetings, step->split.times[k].meeting), &step->split.times[k], r, step->step, clocks_of(clocks, r));
		}
	return meetings;
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
	struct split *s = &step->split;
	char rank[16];

	snprintf(rank, sizeof(rank), "%" PRIu32, last);
	step->waited += came - piece->begin;
	if (came > piece->begin)
		split_add(s, subjects_number(&run->subjects, WHY_WAIT, subjects_get(&run->subjects, piece->subject)->name, rank), piece->begin, came)->count++;
	if (piece->end > came)
		split_add(s, piece->subject, came, piece->end)->count++;
}

bool meetings_share(struct why_run *run, const struct clocks *clocks, const struct table *meetings)
{
	bool alone = false, met = false;

	for (uint32_t r = 0; r < run->count; r++)
		for (size_t i = 0; i < run->ranks[r].count; i++) {
			struct why_step *step = &run->ranks[r].steps[i];

			for (size_t k = 0; k < step->split.meeting_count; k++) {
				const struct meeting_piece *piece = &step->split.meetings[k];
				const struct meeting *m = table_find(meetings, piece->meeting);

				share(run, step, piece, m ? when_last_came(clocks, m, r, piece) : piece->begin, m ? m->rank : r);
				alone |= !m || m->ranks < 2;
				met |= m && m->ranks > 1;
			}
		}
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
