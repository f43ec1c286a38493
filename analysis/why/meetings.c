#include "analysis/why/meetings.h"

#include <inttypes.h>
#include <stdio.h>

struct meeting {
	uint64_t last; /* when its last rank came */
	uint32_t rank; /* which one that is, in run->ranks */
	uint32_t ranks;
	uint32_t seen; /* rank + 1: a collective may be in several pieces */
};

static void note(struct table *meetings, const struct meeting_piece *piece, uint32_t rank)
{
	struct meeting *m = table_put(meetings, piece->meeting);

	m->ranks += m->seen != rank + 1;
	m->seen = rank + 1;
	if (piece->arrived <= m->last)
		return;
	m->last = piece->arrived;
	m->rank = rank;
}

/* Returns true if who came last is not known. */
static bool share(struct why_run *run, struct why_step *step, const struct table *meetings, const struct meeting_piece *piece)
{
	const struct meeting *m = table_find(meetings, piece->meeting);
	uint64_t came = m->last < piece->begin ? piece->begin : m->last > piece->end ? piece->end
										     : m->last;
	struct split *s = &step->split;
	char rank[16];

	snprintf(rank, sizeof(rank), "%" PRIu32, m->rank);
	step->waited += came - piece->begin;
	if (came > piece->begin)
		split_add(s, subjects_number(&run->subjects, WHY_WAIT, subjects_get(&run->subjects, piece->subject)->name, rank), piece->begin, came)->count++;
	if (piece->end > came)
		split_add(s, piece->subject, came, piece->end)->count++;
	return m->ranks < 2;
}

bool meetings_share(struct why_run *run)
{
	struct table meetings = TABLE(struct meeting);
	bool alone = false;

	for (uint32_t r = 0; r < run->count; r++)
		for (size_t i = 0; i < run->ranks[r].count; i++)
			for (size_t k = 0; k < run->ranks[r].steps[i].split.meeting_count; k++)
				note(&meetings, &run->ranks[r].steps[i].split.meetings[k], r);
	for (uint32_t r = 0; r < run->count; r++)
		for (size_t i = 0; i < run->ranks[r].count; i++)
			for (size_t k = 0; k < run->ranks[r].steps[i].split.meeting_count; k++)
				alone |= share(run, &run->ranks[r].steps[i], &meetings, &run->ranks[r].steps[i].split.meetings[k]);
	table_free(&meetings);
	return alone;
}
