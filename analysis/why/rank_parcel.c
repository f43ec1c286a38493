#include "analysis/why/rank_parcel.h"

#include <stdlib.h>

struct packing {
	struct parcel *p;
	size_t count;
	uint32_t *numbers; /* of one that is opened: the subjects' by those that they had */
};

/* ---- subjects ---- */

static void pack_subjects(struct parcel *p, const struct subjects *all)
{
	uint64_t count = all->list.count;

	PARCEL(p, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct subject *s = subjects_get(all, i);
		enum why_kind kind = s->kind;
		char *name = s->name, *detail = s->detail;

		PARCEL_ENUM(p, kind, WHY_KINDS);
		parcel_text(p, &name);
		parcel_text(p, &detail);
	}
}

static void unpack_subject(struct packing *k, struct subjects *all)
{
	enum why_kind kind = 0;
	char *name = NULL, *detail = NULL;

	PARCEL_ENUM(k->p, kind, WHY_KINDS);
	parcel_text(k->p, &name);
	parcel_text(k->p, &detail);
	if (!k->p->broken)
		k->numbers[k->count++] = subjects_number(all, kind, name, detail);
	free(name);
	free(detail);
}

static void unpack_subjects(struct packing *k, struct subjects *all)
{
	uint64_t count = 0;

	PARCEL(k->p, count);
	k->p->broken |= count > k->p->size; /* each has some bytes */
	if (k->p->broken)
		return;
	k->numbers = calloc(count + 1, sizeof(*k->numbers));
	for (k->p->broken |= !k->numbers; k->count < count && !k->p->broken;)
		unpack_subject(k, all);
}

static void parcel_subject(struct packing *k, uint32_t *subject)
{
	PARCEL(k->p, *subject);
	if (!k->p->opened)
		return;
	k->p->broken |= *subject >= k->count;
	*subject = k->p->broken ? 0 : k->numbers[*subject];
}

/* ---- steps ---- */

static void parcel_share(struct packing *k, struct share *s)
{
	uint64_t *const numbers[] = { &s->ns, &s->count, &s->bytes, &s->longest, &s->longest_at, &s->first_at };
	bool inside = s->inside;
	uint32_t range = s->inside - inside;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		parcel_u64(k->p, numbers[i]);
	PARCEL(k->p, s->early);
	PARCEL(k->p, s->first);
	parcel_subject(k, &s->subject);
	PARCEL(k->p, inside);
	if (inside)
		parcel_subject(k, &range);
	s->inside = inside ? range + 1 : 0;
}

static void parcel_shares(struct packing *k, struct table *shares)
{
	uint64_t count = shares->count;

	PARCEL(k->p, count);
	for (uint64_t i = 0; i < count && !k->p->broken; i++) {
		struct share s = { 0 };

		if (!k->p->opened)
			s = *(struct share *)table_item(shares, i);
		parcel_share(k, &s);
		if (k->p->opened)
			*(struct share *)table_put(shares, s.subject) = s;
	}
}

static void parcel_split(struct packing *k, struct split *split)
{
	struct parcel *p = k->p;

	if (p->opened)
		split->shares = TABLE(struct share);
	parcel_shares(k, &split->shares);
	for (size_t i = 0; parcel_has(p, i, &split->meetings, &split->meeting_count, sizeof(*split->meetings)); i++) {
		struct meeting_piece *piece = &split->meetings[i];

		PARCEL(p, piece->meeting);
		PARCEL(p, piece->arrived);
		PARCEL(p, piece->begin);
		PARCEL(p, piece->end);
		PARCEL(p, piece->by_host);
		parcel_subject(k, &piece->subject);
	}
	for (size_t i = 0; parcel_has(p, i, &split->times, &split->time_count, sizeof(*split->times)); i++) {
		struct meeting_time *time = &split->times[i];

		PARCEL(p, time->meeting);
		PARCEL(p, time->arrived);
		PARCEL(p, time->left);
		PARCEL(p, time->by_host);
	}
	split->meeting_capacity = split->meeting_count;
	split->time_capacity = split->time_count;
}

static void parcel_step(struct packing *k, struct why_step *step)
{
	uint64_t lacks = (uintptr_t)step->lacks;

	PARCEL(k->p, step->step);
	PARCEL(k->p, step->begin);
	PARCEL(k->p, step->end);
	PARCEL(k->p, step->length);
	PARCEL(k->p, step->waited);
	PARCEL(k->p, step->by_device);
	PARCEL(k->p, lacks);
	step->lacks = (const char *)(uintptr_t)lacks;
	parcel_split(k, &step->split);
}

/* ---- ranks ---- */

static void parcel_rank(struct packing *k, struct why_rank *rank)
{
	struct report *r = &rank->report;

	PARCEL(k->p, r->has_rank);
	PARCEL(k->p, r->rank);
	PARCEL(k->p, r->pid);
	PARCEL(k->p, r->started);
	PARCEL(k->p, rank->peak_bytes);
	parcel_text_or_none(k->p, &r->folder);
	key_values_parcel(k->p, &r->facts);
	for (size_t i = 0; parcel_has(k->p, i, &rank->steps, &rank->count, sizeof(*rank->steps)); i++)
		parcel_step(k, &rank->steps[i]);
}

void rank_pack(struct parcel *p, struct why_rank *rank, const struct subjects *subjects)
{
	pack_subjects(p, subjects);
	parcel_rank(&(struct packing){ .p = p }, rank);
}

bool rank_unpack(struct why_rank *rank, struct subjects *subjects, const uint8_t *bytes, size_t size)
{
	struct parcel p = PARCEL_OF(bytes, size);
	struct packing k = { .p = &p };

	unpack_subjects(&k, subjects);
	parcel_rank(&k, rank);
	free(k.numbers);
	rank->report.chosen = true;
	if (!p.broken && p.used == p.size)
		return true;
	why_rank_free(rank);
	*rank = (struct why_rank){ 0 };
	return false;
}
