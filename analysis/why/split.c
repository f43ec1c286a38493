#include "analysis/why/split.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/why/meeting.h"

#define GAP_LEAST 3000	/* ns between two calls */
#define GAP_MOST  50000 /* between two of a loop */

struct splitting {
	struct split *split;
	const struct activity *activity;
	struct subjects *subjects;
	uint64_t begin; /* of the step */
	uint32_t tid;	/* that gives the device its next work; 0: not known */
	size_t host;	/* the first segment that ends behind what was split so far */
};

#define BYTES_MOST (1ull << 53) /* likewise */

static uint64_t more_bytes(uint64_t bytes, uint64_t more)
{
	return more < BYTES_MOST - bytes ? bytes + more : BYTES_MOST;
}

struct share *split_add(struct table *shares, uint32_t subject, uint64_t begin, uint64_t end)
{
	struct share *share = table_put(shares, subject);

	share->subject = subject;
	if (!share->ns || begin < share->first_at)
		share->first_at = begin;
	share->ns += end - begin;
	if (end - begin > share->longest) {
		share->longest = end - begin;
		share->longest_at = begin;
	}
	return share;
}

static void add_meeting(struct split *s, const struct item *i, uint64_t begin, uint64_t end, bool by_host)
{
	if (s->meeting_count == s->meeting_capacity) {
		s->meeting_capacity = s->meeting_capacity ? 2 * s->meeting_capacity : 16;
		s->meetings = alloc_grow(s->meetings, s->meeting_capacity, sizeof(*s->meetings));
	}
	s->meetings[s->meeting_count++] = (struct meeting_piece){
		.meeting = by_host ? meeting_by_host(i->meeting) : i->meeting,
		.arrived = i->begin,
		.begin = begin,
		.end = end,
		.subject = i->subject,
		.by_host = by_host,
	};
}

/* ---- the host's side ---- */

static const struct item *call_of(const struct splitting *s, size_t segment)
{
	return segment < s->activity->host.count ? &s->activity->calls.list[s->activity->host.list[segment].owner] : NULL;
}

static uint64_t length_of(const struct item *c)
{
	return c->end - c->begin;
}

/*
 * What making calls takes beside them is theirs: little, or, in a loop of those of one kind such as allocations, less than the longer one. What a
 * program does before one that is slow by itself is not.
 */
static bool belongs_to_calls(const struct splitting *s, const struct item *before, const struct item *behind)
{
	enum why_kind kind = subjects_get(s->subjects, before->subject)->kind;
	uint64_t gap = behind->begin - before->end, longer = length_of(before) > length_of(behind) ? length_of(before) : length_of(behind);

	if (gap < GAP_LEAST)
		return true;
	return gap < GAP_MOST && gap < longer && kind != WHY_HOST_CALL && kind == subjects_get(s->subjects, behind->subject)->kind;
}

/* Between two calls: told by both. */
static void add_gap(struct splitting *s, uint64_t begin, uint64_t end)
{
	const struct item *before = s->host ? call_of(s, s->host - 1) : NULL, *behind = call_of(s, s->host);

	if (before && behind && belongs_to_calls(s, before, behind))
		split_add(&s->split->shares, before->subject, begin, end);
	else
		split_add(&s->split->shares, subjects_between(s->subjects, WHY_HOST_GAP, before ? before->subject : NO_SUBJECT, behind ? behind->subject : NO_SUBJECT), begin, end)->count++;
}

/* A thread that only waits holds nobody up but itself. */
static bool waits_elsewhere(const struct splitting *s, const struct item *c)
{
	return c->layer == CALLS_WAITING && s->tid && c->tid != s->tid;
}

/* A collective may hold its caller up until all ranks are there. */
static void add_call(struct splitting *s, const struct item *c, uint64_t begin, uint64_t end)
{
	if (waits_elsewhere(s, c))
		add_gap(s, begin, end);
	else if (c->collective && c->meeting)
		add_meeting(s->split, c, begin, end, true);
	else
		split_add(&s->split->shares, c->subject, begin, end);
}

/* The device waits for the host, or nothing is known of it. */
static void add_host(struct splitting *s, uint64_t begin, uint64_t end)
{
	const struct segments *host = &s->activity->host;

	while (s->host < host->count && host->list[s->host].end <= begin)
		s->host++;
	while (begin < end) {
		const struct segment *next = s->host < host->count ? &host->list[s->host] : NULL;

		if (!next || next->begin >= end) {
			add_gap(s, begin, end);
			return;
		}
		if (next->begin > begin) {
			add_gap(s, begin, next->begin);
			begin = next->begin;
		}
		add_call(s, &s->activity->calls.list[next->owner], begin, next->end < end ? next->end : end);
		begin = next->end;
		if (begin <= end)
			s->host++;
	}
}

/* ---- the device's side ---- */

static void add_work(struct splitting *s, const struct item *w, uint64_t begin, uint64_t end)
{
	struct share *share;

	if (w->layer == WORKS_COLLECTIVES && w->meeting) {
		add_meeting(s->split, w, begin, end, false);
		return;
	}
	share = split_add(&s->split->shares, w->subject, begin, end);
	if (share->longest_at == begin)
		share->early = w->given && w->given < s->begin;
	if (w->begin < s->begin && begin == s->begin && w->layer != WORKS_COLLECTIVES) {
		share->count++; /* the others are counted by when they began */
		share->bytes = more_bytes(share->bytes, w->bytes);
	}
}

/* Nothing runs: until the next work has been given to the device it waits for the host, from then on for nothing that is known. */
static void add_wait(struct splitting *s, const struct item *next, uint64_t begin, uint64_t end)
{
	uint64_t given = next && next->given && next->given < end ? next->given : end;

	s->tid = next ? next->tid : 0;
	if (given > begin)
		add_host(s, begin, given);
	else
		given = begin;
	if (given < end)
		split_add(&s->split->shares, subjects_between(s->subjects, WHY_IDLE, next->subject, NO_SUBJECT), given, end)->count++;
}

static void split_by_device(struct splitting *s, uint64_t begin, uint64_t end)
{
	const struct segments *device = &s->activity->device;

	for (size_t i = segments_find(device, begin); begin < end; i++) {
		const struct segment *next = i < device->count ? &device->list[i] : NULL;
		const struct item *w = next ? &s->activity->works.list[next->owner] : NULL;
		uint64_t starts = next && next->begin < end ? next->begin : end, ends = next && next->end < end ? next->end : end;

		if (starts > begin) {
			add_wait(s, w, begin, starts);
			begin = starts;
		}
		if (begin < ends && w) {
			add_work(s, w, begin, ends);
			begin = ends;
		}
	}
}

/* ---- how often ---- */

static void count_one(struct split *s, uint32_t subject, uint64_t bytes, bool first)
{
	struct share *share = table_put(&s->shares, subject);

	share->subject = subject;
	share->count++;
	share->bytes = more_bytes(share->bytes, bytes);
	share->first |= first;
}

static void add_time(struct split *s, struct meeting_time time)
{
	if (s->time_count == s->time_capacity) {
		s->time_capacity = s->time_capacity ? 2 * s->time_capacity : 16;
		s->times = alloc_grow(s->times, s->time_capacity, sizeof(*s->times));
	}
	s->times[s->time_count++] = time;
}

#define AT_ONCE 8 /* collectives whose launches alternate */

/* Of its launches the first begins it, and the last ends it. */
static void note_time(struct split *s, const struct item *w)
{
	for (size_t i = s->time_count; i > 0 && i + AT_ONCE > s->time_count; i--) {
		struct meeting_time *known = &s->times[i - 1];

		if (known->meeting != w->meeting)
			continue;
		known->left = w->end > known->left ? w->end : known->left;
		return;
	}
	add_time(s, (struct meeting_time){ w->meeting, w->begin, w->end, false });
}

static void count_calls(struct split *s, const struct activity *a, uint64_t begin, uint64_t end)
{
	for (size_t i = items_from(&a->calls, begin); i < a->calls.count && a->calls.list[i].begin < end; i++) {
		const struct item *c = &a->calls.list[i];

		count_one(s, c->subject, c->bytes, c->first);
		if (c->collective && c->meeting)
			add_time(s, (struct meeting_time){ meeting_by_host(c->meeting), c->begin, c->end, true });
	}
}

/* A collective is told by when its ranks came. */
static void count_works(struct split *s, const struct activity *a, uint64_t begin, uint64_t end)
{
	for (size_t i = items_from(&a->works, begin); i < a->works.count && a->works.list[i].begin < end; i++) {
		const struct item *w = &a->works.list[i];

		if (w->layer != WORKS_COLLECTIVES)
			count_one(s, w->subject, w->bytes, w->first);
		else if (w->meeting)
			note_time(s, w);
	}
}

static void find_ranges(struct split *s, const struct activity *a)
{
	for (size_t i = 0; a->marked.count && i < s->shares.count; i++) {
		struct share *share = table_item(&s->shares, i);
		const struct item *around = share->longest ? items_around(&a->marked, share->longest_at, share->longest_at + share->longest) : NULL;

		share->inside = around ? around->subject + 1 : 0;
	}
}

void split_make(struct split *s, const struct activity *a, struct subjects *subjects, uint64_t begin, uint64_t end, bool by_device)
{
	struct splitting now = { .split = s, .activity = a, .subjects = subjects, .begin = begin, .host = segments_find(&a->host, begin) };

	*s = (struct split){ .shares = TABLE(struct share) };
	if (by_device)
		split_by_device(&now, begin, end);
	else
		add_host(&now, begin, end);
	count_calls(s, a, begin, end);
	if (by_device)
		count_works(s, a, begin, end);
	find_ranges(s, a);
}

void split_free(struct split *s)
{
	table_free(&s->shares);
	free(s->meetings);
	free(s->times);
}
