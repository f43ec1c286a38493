#include "analysis/why/rank_parcel.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

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

/* ---- what is kept of steps ---- */

static void pack_kept(struct parcel *p, const struct keeping *k)
{
	uint64_t shares = k->shares.used, times = k->time_count, pieces = k->piece_count;

	PARCEL(p, shares);
	PARCEL(p, times);
	PARCEL(p, pieces);
	parcel_bytes(p, k->shares.bytes, shares);
	parcel_bytes(p, k->times, times * sizeof(*k->times));
	parcel_bytes(p, k->pieces, pieces * sizeof(*k->pieces));
}

/* So many items that stand there, for free(). */
static void *items_of(struct parcel *p, uint64_t count, size_t size)
{
	const uint8_t *at = count <= p->size / size ? parcel_bytes(p, NULL, count * size) : NULL;
	void *list;

	p->broken |= !at;
	if (p->broken)
		return NULL;
	list = alloc_grow(NULL, count + 1, size);
	memcpy(list, at, count * size);
	return list;
}

static void unpack_kept(struct packing *k, struct keeping *kept)
{
	uint64_t shares = 0, times = 0, pieces = 0;

	PARCEL(k->p, shares);
	PARCEL(k->p, times);
	PARCEL(k->p, pieces);
	kept->shares.bytes = items_of(k->p, shares, 1);
	kept->times = items_of(k->p, times, sizeof(*kept->times));
	kept->pieces = items_of(k->p, pieces, sizeof(*kept->pieces));
	if (k->p->broken)
		return;
	kept->shares.used = shares;
	kept->time_count = times;
	kept->piece_count = pieces;
	for (size_t i = 0; i < pieces && !k->p->broken; i++) {
		k->p->broken |= kept->pieces[i].subject >= k->count;
		kept->pieces[i].subject = k->p->broken ? 0 : k->numbers[kept->pieces[i].subject];
	}
}

/* ---- steps ---- */

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
	PARCEL_U64S(k->p, step->ends);
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

void rank_pack(struct parcel *p, struct why_rank *rank, const struct keeping *kept, const struct subjects *subjects)
{
	pack_subjects(p, subjects);
	pack_kept(p, kept);
	parcel_rank(&(struct packing){ .p = p }, rank);
}

bool rank_unpack(struct why_rank *rank, struct why_run *run, struct parcel *p)
{
	struct packing k = { .p = p };
	struct keeping kept = { 0 };

	unpack_subjects(&k, &run->subjects);
	unpack_kept(&k, &kept);
	parcel_rank(&k, rank);
	rank->report.chosen = true;
	if (p->broken) {
		why_rank_free(rank);
		*rank = (struct why_rank){ 0 };
	} else {
		kept_put(run, rank, &kept, k.numbers, k.count);
	}
	keeping_free(&kept);
	free(k.numbers);
	return !p->broken;
}
