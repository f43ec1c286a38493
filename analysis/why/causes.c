#include "analysis/why/causes.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"

const char *const confidence_words[CONFIDENCE_CERTAIN + 1] = { "possible", "likely", "certain" };

#define GROUPS		 (WHY_IDLE + 1) /* kinds of shares */
#define CAUSES_MAX	 32
#define LEAST_OF	 100 /* parts of a step: less than one is not told */
#define NAMED_OF	 2   /* parts of what is left of a kind: with less than half a subject is not named, it is many then */
#define COUNTED_OF	 5   /* parts of a kernel's excess: less than a fifth of it is not told apart */
#define FACTOR_OF	 20  /* parts of all kernels' time: those with less do not matter */
#define FACTOR_APART	 0.1 /* how far a kernel's factor may lie from that of all */
#define SPREADS_TO_COUNT 3
#define SPREADS_LIKELY	 4
#define SPREADS_CERTAIN	 10

struct change {
	uint32_t subject; /* of a kernel its family */
	int64_t ns, noise;
	struct cause what;
	int64_t new_sizes, old_sizes; /* of a kernel: ns with sizes that no reference has, and of those that this step has not */
};

struct group {
	size_t count, capacity;
	struct change *list;
	struct table places; /* uint32_t by subject: place in the list + 1 */
	int64_t now;
	struct spread reference;
};

struct finding {
	struct causes *causes;
	const struct subjects *subjects;
	const struct why_step *step;
	const struct table *shares; /* of the step */
	const struct usual *usual;
	struct group groups[GROUPS];
	int64_t least;
	int64_t *values; /* room for one of each step of the reference */
};

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- what changed ---- */

static struct change *change_of(struct group *g, uint32_t subject)
{
	uint32_t *place = table_put(&g->places, subject);

	if (*place)
		return &g->list[*place - 1];
	if (g->count == g->capacity) {
		g->capacity = g->capacity ? 2 * g->capacity : 16;
		g->list = alloc_grow(g->list, g->capacity, sizeof(*g->list));
	}
	g->list[g->count++] = (struct change){ .subject = subject };
	*place = (uint32_t)g->count;
	return &g->list[g->count - 1];
}

static void take_longest(struct cause *what, const struct share *share)
{
	if (!share || share->longest <= what->longest)
		return;
	what->longest = share->longest;
	what->longest_at = share->longest_at;
	what->inside = share->inside;
	what->early = share->early;
}

static void take_subject(struct finding *f, uint32_t number)
{
	const struct subject *subject = subjects_get(f->subjects, number);
	const struct share *now = table_find(f->shares, number);
	struct usual_share usual = usual_share(f->usual, number, f->values);
	struct change *c = change_of(&f->groups[subject->kind], subject->kind == WHY_KERNEL_TIME ? subject->family : number);
	int64_t spent = now ? (int64_t)now->ns : 0;

	c->ns += spent - usual.ns.median;
	c->noise += usual.ns.noise;
	c->what.now_ns += spent;
	c->what.reference_ns += usual.ns.median;
	c->what.now_count += now ? (int64_t)now->count : 0;
	c->what.now_bytes += now ? (int64_t)now->bytes : 0;
	c->what.reference_count += usual.count;
	c->what.reference_bytes += usual.bytes;
	c->what.reference_longest = larger(c->what.reference_longest, usual.longest);
	take_longest(&c->what, now);
	if (now && now->count && !usual.there)
		c->new_sizes += spent;
	else if (!now || !now->count)
		c->old_sizes += usual.ns.median;
	if (now && now->first && !usual.there)
		c->what.kind = WHY_FIRST_CALL;
}

/* All that the step has, and what the others have besides. */
static void take_subjects(struct finding *f)
{
	for (size_t i = 0; i < f->shares->count; i++)
		take_subject(f, ((const struct share *)table_item(f->shares, i))->subject);
	for (size_t i = 0; i < f->usual->subjects.count; i++) {
		const struct usual_subject *s = table_item(&f->usual->subjects, i);

		if (!table_find(f->shares, s->subject))
			take_subject(f, s->subject);
	}
}

/* By step of the reference, and behind these the step itself. */
static void sum_kinds(const struct finding *f, int64_t (*sums)[GROUPS])
{
	for (size_t i = 0; i < f->usual->subjects.count; i++) {
		const struct usual_subject *s = table_item(&f->usual->subjects, i);
		enum why_kind kind = subjects_get(f->subjects, s->subject)->kind;
		uint32_t next = s->first;

		for (size_t k = 0; k < s->steps; k++, next = f->usual->pieces[next].next)
			sums[f->usual->pieces[next].step][kind] += (int64_t)f->usual->pieces[next].ns;
	}
	for (size_t i = 0; i < f->shares->count; i++) {
		const struct share *share = table_item(f->shares, i);

		sums[f->usual->count][subjects_get(f->subjects, share->subject)->kind] += (int64_t)share->ns;
	}
}

static void sum_groups(struct finding *f)
{
	size_t count = f->usual->count;
	int64_t(*sums)[GROUPS] = alloc_zero(count + 1, sizeof(*sums));

	sum_kinds(f, sums);
	for (unsigned int g = 0; g < GROUPS; g++) {
		for (size_t i = 0; i < count; i++)
			f->values[i] = sums[i][g];
		f->groups[g].reference = reference_spread(f->values, count);
		f->groups[g].now = sums[count][g];
	}
	free(sums);
}

/* ---- what it is called ---- */

static enum confidence confidence_of(const struct finding *f, enum why_kind kind, int64_t ns, int64_t noise)
{
	if (f->usual->count < REFERENCE_LEAST || ns < SPREADS_LIKELY * noise)
		return CONFIDENCE_POSSIBLE;
	if (kind == WHY_HOST_CALL && !f->step->by_device) /* it may wait for work that has no times */
		return CONFIDENCE_POSSIBLE;
	return ns < SPREADS_CERTAIN * noise ? CONFIDENCE_LIKELY : CONFIDENCE_CERTAIN;
}

static void add(struct finding *f, struct cause what, enum why_kind kind, int64_t ns, int64_t noise)
{
	if (f->causes->count == CAUSES_MAX - 1)
		return;
	what.kind = kind;
	what.ns = ns;
	what.confidence = confidence_of(f, kind, ns, noise);
	f->causes->list[f->causes->count++] = what;
}

/* More launches account for what a launch takes in the reference, each; the rest is that they took longer. */
static void add_kernel(struct finding *f, const struct change *c, int64_t ns)
{
	int64_t more = c->what.now_count - c->what.reference_count, by_count = 0, told = larger(f->least, ns / COUNTED_OF);
	int64_t each = c->what.reference_count ? c->what.reference_ns / c->what.reference_count : ns;

	if (c->new_sizes > c->what.reference_ns / LEAST_OF && c->what.reference_ns && c->new_sizes - c->old_sizes > ns / 2) {
		add(f, c->what, WHY_KERNEL_SHAPE, ns, c->noise);
		return;
	}
	if (c->what.kind == WHY_FIRST_CALL && !c->what.reference_count) {
		add(f, c->what, WHY_FIRST_CALL, ns, c->noise);
		return;
	}
	if (more > 0)
		by_count = (double)more * (double)each > (double)ns ? ns : more * each;
	if (ns - by_count < told)
		by_count = by_count < told ? 0 : ns;
	else if (by_count < told)
		by_count = 0;
	if (by_count)
		add(f, c->what, WHY_KERNEL_COUNT, by_count, c->noise);
	if (ns > by_count)
		add(f, c->what, WHY_KERNEL_TIME, ns - by_count, c->noise);
}

static int most_first(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->subject < y->subject ? -1 : x->subject > y->subject;
}

static void add_rest(struct finding *f, const struct group *g, enum why_kind kind, int64_t rest, size_t named)
{
	struct cause what = { .subject = CAUSE_MANY };

	for (size_t i = named; i < g->count; i++) {
		const struct cause *one = &g->list[i].what;

		what.now_ns += one->now_ns;
		what.reference_ns += one->reference_ns;
		what.now_count += one->now_count;
		what.reference_count += one->reference_count;
		what.now_bytes += one->now_bytes;
		what.reference_bytes += one->reference_bytes;
		if (one->longest > what.longest) {
			what.longest = one->longest;
			what.longest_at = one->longest_at;
			what.inside = one->inside;
		}
	}
	add(f, what, kind, rest, g->reference.noise);
}

/* A slow device: all kernels that matter take longer, by one factor. */
static bool is_by_one_factor(const struct group *g)
{
	double factor = g->reference.median ? (double)g->now / (double)g->reference.median : 0;
	size_t alike = 0;

	for (size_t i = 0; i < g->count; i++) {
		const struct cause *what = &g->list[i].what;
		double own = what->reference_ns ? (double)what->now_ns / (double)what->reference_ns : 0;

		if (what->reference_ns < g->reference.median / FACTOR_OF)
			continue;
		if (own < factor * (1 - FACTOR_APART) || own > factor * (1 + FACTOR_APART))
			return false;
		alike++;
	}
	return alike > 1;
}

static void name_group(struct finding *f, enum why_kind kind)
{
	struct group *g = &f->groups[kind];
	int64_t rest = g->now - g->reference.median, least = larger(f->least, SPREADS_TO_COUNT * g->reference.noise);
	size_t i;

	if (rest < least)
		return;
	qsort(g->list, g->count, sizeof(*g->list), most_first);
	for (i = 0; i < g->count && rest > 0 && !(kind == WHY_KERNEL_TIME && is_by_one_factor(g)); i++) {
		struct change *c = &g->list[i];
		int64_t ns = c->ns < rest ? c->ns : rest;

		if (c->ns < larger(f->least, SPREADS_TO_COUNT * c->noise) || c->ns < rest / NAMED_OF)
			break;
		c->what.subject = c->subject;
		if (kind == WHY_KERNEL_TIME)
			add_kernel(f, c, ns);
		else
			add(f, c->what, c->what.kind == WHY_FIRST_CALL ? WHY_FIRST_CALL : kind, ns, c->noise);
		rest -= ns;
	}
	if (rest >= least)
		add_rest(f, g, kind, rest, i);
}

static int causes_most_first(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->kind < y->kind ? -1 : x->kind > y->kind;
}

void causes_find(struct causes *c, const struct subjects *subjects, const struct why_step *step, const struct table *shares, const struct usual *usual)
{
	struct finding f = { c, subjects, step, shares, usual, .least = c->length / LEAST_OF, .values = alloc_zero(usual->count, sizeof(int64_t)) };
	int64_t explained = 0;

	c->count = 0;
	c->list = alloc_zero(CAUSES_MAX, sizeof(*c->list));
	for (unsigned int g = 0; g < GROUPS; g++)
		f.groups[g].places = TABLE(uint32_t);
	take_subjects(&f);
	sum_groups(&f);
	free(f.values);
	for (unsigned int g = 0; g < GROUPS; g++) {
		if (g != WHY_WAIT || !c->own)
			name_group(&f, (enum why_kind)g);
		free(f.groups[g].list);
		table_free(&f.groups[g].places);
	}
	for (size_t i = 0; i < c->count; i++)
		explained += c->list[i].ns;
	if (explained != c->excess)
		c->list[c->count++] = (struct cause){ .kind = WHY_UNEXPLAINED, .ns = c->excess - explained, .subject = CAUSE_MANY };
	qsort(c->list, c->count, sizeof(*c->list), causes_most_first);
}

void causes_free(struct causes *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->list[i].asked);
	free(c->list);
}
