#include "analysis/why/rank_stream.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

/* Before its texts and steps. */
struct rank_head {
	bool there, has_rank, has_folder;
	int64_t rank;
	uint64_t pid, started, peak_bytes;
	size_t subjects, facts, steps; /* subjects: that no rank before had */
};

struct step_head {
	struct why_step step; /* what its split points to is of the child */
	size_t shares;
};

/* ---- pieces ---- */

static void put(struct rank_stream *s, const void *bytes, size_t size)
{
	if (size)
		fwrite(bytes, size, 1, s->file);
}

static bool get(struct rank_stream *s, void *bytes, size_t size)
{
	return !size || fread(bytes, size, 1, s->file) == 1;
}

static void put_text(struct rank_stream *s, const char *text)
{
	size_t size = strlen(text) + 1;

	put(s, &size, sizeof(size));
	put(s, text, size);
}

/* The caller frees it. NULL: nothing more comes. */
static void *get_list(struct rank_stream *s, size_t count, size_t size)
{
	void *list = alloc_zero(count, size);

	if (get(s, list, count * size))
		return list;
	free(list);
	return NULL;
}

/* The caller frees it. NULL: nothing more comes. */
static char *get_text(struct rank_stream *s)
{
	size_t size;

	return get(s, &size, sizeof(size)) ? get_list(s, size, 1) : NULL;
}

/* ---- subjects ---- */

static void put_subjects(struct rank_stream *s)
{
	for (; s->count < s->subjects->list.count; s->count++) {
		const struct subject *subject = subjects_get(s->subjects, (uint32_t)s->count);

		put(s, &subject->kind, sizeof(subject->kind));
		put_text(s, subject->name);
		put_text(s, subject->detail);
	}
}

static bool get_subjects(struct rank_stream *s, size_t count)
{
	bool whole = true;

	s->numbers = alloc_grow(s->numbers, s->count + count + 1, sizeof(*s->numbers));
	for (size_t i = 0; i < count && whole; i++) {
		enum why_kind kind;
		char *name = NULL, *detail = NULL;

		whole = get(s, &kind, sizeof(kind)) && (name = get_text(s)) && (detail = get_text(s));
		if (whole)
			s->numbers[s->count++] = subjects_number(s->subjects, kind, name, detail);
		free(name);
		free(detail);
	}
	return whole;
}

/* ---- steps ---- */

static void put_step(struct rank_stream *s, const struct why_step *step)
{
	const struct split *split = &step->split;
	struct step_head head = { *step, split->shares.count };

	put(s, &head, sizeof(head));
	put(s, split->shares.items, split->shares.count * sizeof(struct share));
	put(s, split->meetings, split->meeting_count * sizeof(*split->meetings));
	put(s, split->times, split->time_count * sizeof(*split->times));
}

static bool get_shares(struct rank_stream *s, struct split *split, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct share share;

		if (!get(s, &share, sizeof(share)))
			return false;
		share.subject = s->numbers[share.subject];
		if (share.inside)
			share.inside = s->numbers[share.inside - 1] + 1;
		*(struct share *)table_put(&split->shares, share.subject) = share;
	}
	return true;
}

static bool get_step(struct rank_stream *s, struct why_step *step)
{
	struct step_head head;
	struct split *split = &step->split;

	if (!get(s, &head, sizeof(head)))
		return false;
	*step = head.step;
	*split = (struct split){ .shares = TABLE(struct share) };
	if (!get_shares(s, split, head.shares) || !(split->meetings = get_list(s, head.step.split.meeting_count, sizeof(*split->meetings))))
		return false;
	split->meeting_count = split->meeting_capacity = head.step.split.meeting_count;
	for (size_t i = 0; i < split->meeting_count; i++)
		split->meetings[i].subject = s->numbers[split->meetings[i].subject];
	split->time_count = split->time_capacity = head.step.split.time_count;
	return (split->times = get_list(s, split->time_count, sizeof(*split->times)));
}

/* ---- ranks ---- */

void rank_stream_put(struct rank_stream *s, const struct why_rank *rank)
{
	struct rank_head head = { .there = rank, .subjects = s->subjects->list.count - s->count };
	const struct report *r = rank ? &rank->report : NULL;

	if (rank)
		head = (struct rank_head){ true, r->has_rank, r->folder, r->rank, r->pid, r->started, rank->peak_bytes, head.subjects, r->facts.count, rank->count };
	put(s, &head, sizeof(head));
	put_subjects(s);
	if (!rank)
		return;
	if (r->folder)
		put_text(s, r->folder);
	for (size_t i = 0; i < r->facts.count; i++) {
		put_text(s, r->facts.list[i].key);
		put_text(s, r->facts.list[i].value);
	}
	for (size_t i = 0; i < rank->count; i++)
		put_step(s, &rank->steps[i]);
	fflush(s->file);
}

static bool get_facts(struct rank_stream *s, struct key_values *facts, size_t count)
{
	bool whole = true;

	for (size_t i = 0; i < count && whole; i++) {
		char *key = get_text(s), *value = key ? get_text(s) : NULL;

		whole = value;
		if (whole)
			key_values_add(facts, key, value);
		free(key);
		free(value);
	}
	return whole;
}

bool rank_stream_get(struct rank_stream *s, struct why_rank *rank, bool *there)
{
	struct rank_head head;
	bool whole;

	if (!get(s, &head, sizeof(head)) || !get_subjects(s, head.subjects))
		return false;
	*there = head.there;
	if (!head.there)
		return true;
	*rank = (struct why_rank){ .peak_bytes = head.peak_bytes };
	rank->report.chosen = true;
	rank->report.has_rank = head.has_rank;
	rank->report.rank = head.rank;
	rank->report.pid = head.pid;
	rank->report.started = head.started;
	rank->steps = alloc_zero(head.steps, sizeof(*rank->steps));
	whole = !head.has_folder || (rank->report.folder = get_text(s));
	for (whole = whole && get_facts(s, &rank->report.facts, head.facts); whole && rank->count < head.steps; rank->count += whole)
		whole = get_step(s, &rank->steps[rank->count]);
	if (!whole && rank->count < head.steps)
		split_free(&rank->steps[rank->count].split);
	if (!whole)
		why_rank_free(rank);
	return whole;
}
