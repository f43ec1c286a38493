#include "analysis/compare/rows.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/why/kept.h"

#define NO_KEY UINT32_MAX

/* How many steps of each side have something. */
struct seen {
	size_t in[SIDES], last; /* the number of the last one that was counted, from 1 */
};

/* ---- one name for both sides ---- */

/* Who came last differs from step to step: waiting is waiting. */
static uint32_t name_subject(struct subjects *names, const struct subject *s)
{
	return subjects_number(names, s->kind, s->name, s->kind == WHY_WAIT ? "" : s->detail);
}

static void name_all(struct rows *r, const struct side *s, unsigned int side)
{
	size_t count = s->run.subjects.list.count;

	r->name_of[side] = alloc_zero(count + 1, sizeof(uint32_t));
	for (size_t i = 0; i < count; i++)
		r->name_of[side][i] = name_subject(&r->names, subjects_get(&s->run.subjects, (uint32_t)i));
}

/* A copy in one direction is none in the other, whatever the call. */
static uint32_t family_of(const struct rows *r, uint32_t name)
{
	const struct subject *s = subjects_get(&r->names, name);

	return s->kind == WHY_COPY ? name : s->family;
}

/* ---- who has it ---- */

/* key_of: by name. */
static void count_steps(struct seen *seen, const uint32_t *key_of, const struct rows *r, const struct side *s, unsigned int side)
{
	for (size_t i = 0; i < s->count; i++) {
		struct table shares = kept_shares(&s->run, s->steps[i]);

		for (size_t k = 0; k < shares.count; k++) {
			const struct share *share = table_item(&shares, k);
			uint32_t key = key_of[r->name_of[side][share->subject]];

			if (key == NO_KEY || (!share->ns && !share->count) || seen[key].last == i + 1)
				continue;
			seen[key].last = i + 1;
			seen[key].in[side]++;
		}
		table_free(&shares);
	}
}

static struct seen *seen_by(const uint32_t *key_of, const struct rows *r, const struct side sides[SIDES])
{
	struct seen *seen = alloc_zero(r->names.list.count + 1, sizeof(*seen));

	for (unsigned int i = 0; i < SIDES; i++) {
		for (size_t k = 0; k < r->names.list.count; k++)
			seen[k].last = 0;
		count_steps(seen, key_of, r, &sides[i], i);
	}
	return seen;
}

#define USUAL_OF 10 /* parts of the steps: what fewer have is not named */

static bool is_usual(const struct seen *seen, const struct side *s, unsigned int side)
{
	return seen->in[side] && USUAL_OF * seen->in[side] >= s->count;
}

/* ---- rows ---- */

static uint32_t add(struct rows *r, enum why_kind kind, enum joined joined, uint32_t subject, bool in_a, bool in_b)
{
	if (r->count == r->capacity) {
		r->capacity = r->capacity ? 2 * r->capacity : 256;
		r->list = alloc_grow(r->list, r->capacity, sizeof(*r->list));
	}
	r->list[r->count] = (struct row){
		.kind = kind,
		.joined = joined,
		.sides = { { .there = in_a, .subject = subject }, { .there = in_b, .subject = subject } },
	};
	return (uint32_t)r->count++;
}

/* Rows of names that both sides have; key_of is the family of those that one of them lacks, and none of the others. */
static void add_same(struct rows *r, const struct side sides[SIDES], const struct seen *seen, uint32_t *key_of)
{
	for (uint32_t name = 0; name < r->names.list.count; name++) {
		if (is_usual(&seen[name], &sides[SIDE_A], SIDE_A) && is_usual(&seen[name], &sides[SIDE_B], SIDE_B)) {
			r->row_of[name] = add(r, subjects_get(&r->names, name)->kind, JOINED_SIZES, name, true, true);
			key_of[name] = NO_KEY;
		} else {
			key_of[name] = family_of(r, name);
		}
	}
}

/* The only one of a family is called by its sizes, too. */
static void call_sides(struct row *row, const struct side sides[SIDES], const struct seen *seen, uint32_t name)
{
	for (unsigned int i = 0; i < SIDES; i++) {
		struct row_side *own = &row->sides[i];

		if (!is_usual(&seen[name], &sides[i], i))
			continue;
		own->many = own->many || own->subject != NO_KEY;
		if (own->subject == NO_KEY)
			own->subject = name;
	}
}

/* Several sizes, or many, each of them in few steps. */
static void call_by_family(struct row_side *own, uint32_t family)
{
	own->many |= own->there && own->subject == NO_KEY;
	if (own->many || own->subject == NO_KEY)
		own->subject = family;
}

/* What is done with the names that one side lacks. */
struct families {
	const struct side *sides;
	const struct seen *exact; /* by name */
	const uint32_t *key_of;	  /* the family by name; NO_KEY: both sides have it */
	struct seen *seen;	  /* by family: its names that one side lacks */
	bool *named;		  /* by family: it is on one side only, which has some of its sizes often enough */
	uint32_t *made;		  /* row + 1 by family */
	uint32_t rest[WHY_KINDS]; /* row + 1 */
};

static bool has(const struct families *f, const struct seen *seen, uint32_t key, unsigned int side)
{
	return is_usual(&seen[key], &f->sides[side], side);
}

/* Its row + 1, wherever that is kept; 0: it has none yet. NULL: one of its own. */
static uint32_t *place_of(struct families *f, uint32_t name, enum why_kind kind)
{
	uint32_t family = f->key_of[name];
	bool usual = has(f, f->exact, name, SIDE_A) || has(f, f->exact, name, SIDE_B);

	if (f->named[family])
		return usual ? NULL : &f->rest[kind];
	return has(f, f->seen, family, SIDE_A) || has(f, f->seen, family, SIDE_B) ? &f->made[family] : &f->rest[kind];
}

static void add_name(struct rows *r, struct families *f, uint32_t name)
{
	enum why_kind kind = subjects_get(&r->names, name)->kind;
	uint32_t family = f->key_of[name], *place = place_of(f, name, kind), own = 0;
	bool in_a = place ? has(f, f->seen, family, SIDE_A) : has(f, f->exact, name, SIDE_A);
	bool in_b = place ? has(f, f->seen, family, SIDE_B) : has(f, f->exact, name, SIDE_B);
	enum joined joined = in_a && in_b ? JOINED_NAME : JOINED_NOT;

	if (place == &f->rest[kind]) {
		joined = JOINED_REST;
		in_a = in_b = false;
	}
	place = place ? place : &own;
	if (!*place)
		*place = 1 + add(r, kind, joined, NO_KEY, in_a, in_b);
	r->row_of[name] = *place - 1;
	call_sides(&r->list[*place - 1], f->sides, f->exact, name);
}

static void find_named(const struct rows *r, struct families *f)
{
	for (uint32_t name = 0; name < r->names.list.count; name++) {
		uint32_t family = f->key_of[name];

		if (family != NO_KEY && !(has(f, f->seen, family, SIDE_A) && has(f, f->seen, family, SIDE_B)))
			f->named[family] |= has(f, f->exact, name, SIDE_A) || has(f, f->exact, name, SIDE_B);
	}
}

static void add_families(struct rows *r, const struct side sides[SIDES], const struct seen *exact, const uint32_t *key_of)
{
	size_t count = r->names.list.count;
	struct families f = {
		.sides = sides,
		.exact = exact,
		.key_of = key_of,
		.seen = seen_by(key_of, r, sides),
		.named = alloc_zero(count + 1, sizeof(bool)),
		.made = alloc_zero(count + 1, sizeof(uint32_t)),
	};

	find_named(r, &f);
	for (uint32_t name = 0; name < count; name++)
		if (key_of[name] != NO_KEY)
			add_name(r, &f, name);
	for (uint32_t name = 0; name < count; name++)
		for (unsigned int i = 0; key_of[name] != NO_KEY && i < SIDES; i++)
			call_by_family(&r->list[r->row_of[name]].sides[i], key_of[name]);
	free(f.made);
	free(f.named);
	free(f.seen);
}

void rows_make(struct rows *r, const struct side sides[SIDES])
{
	uint32_t *key_of;
	struct seen *exact;

	*r = (struct rows){ 0 };
	subjects_init(&r->names);
	for (unsigned int i = 0; i < SIDES; i++)
		name_all(r, &sides[i], i);
	key_of = alloc_zero(r->names.list.count + 1, sizeof(*key_of));
	r->row_of = alloc_zero(r->names.list.count + 1, sizeof(*r->row_of));
	for (uint32_t name = 0; name < r->names.list.count; name++)
		key_of[name] = name;
	exact = seen_by(key_of, r, sides);
	add_same(r, sides, exact, key_of);
	add_families(r, sides, exact, key_of);
	free(exact);
	free(key_of);
}

void rows_free(struct rows *r)
{
	for (unsigned int i = 0; i < SIDES; i++)
		free(r->name_of[i]);
	free(r->row_of);
	free(r->list);
	subjects_free(&r->names);
}
