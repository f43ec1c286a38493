#include "analysis/compare/sides.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/why/meetings.h"

static bool is_asked(const struct why_rank *rank, const struct choice *asked)
{
	return choice_has_rank(asked, rank->report.has_rank, rank->report.rank);
}

static void read_run(struct side *s, bool by_host)
{
	static const struct choice all = CHOICE_ALL;
	struct table meetings;
	struct clocks clocks;

	why_run_read(&s->run, s->trace, &all, by_host, 0);
	clocks_align(&clocks, &s->run);
	meetings_share(&s->run, &clocks, &meetings);
	table_free(&meetings);
	clocks_free(&clocks);
}

void side_read(struct side *s, struct trace *t, const struct choice *asked)
{
	*s = (struct side){ .trace = t };
	read_run(s, false);
	for (size_t i = 0; i < s->run.count; i++) {
		const struct why_rank *rank = &s->run.ranks[i];

		if (!is_asked(rank, asked))
			continue;
		s->ranks++;
		if (rank->peak_bytes > s->peak)
			s->peak = rank->peak_bytes;
	}
}

/* ---- its steps ---- */

/* Those that were asked for, or all others. */
static void add(struct side *s, const struct choice *asked, bool others)
{
	for (size_t i = 0; i < s->run.count; i++)
		for (size_t k = 0; is_asked(&s->run.ranks[i], asked) && k < s->run.ranks[i].count; k++) {
			const struct why_step *step = &s->run.ranks[i].steps[k];

			if (choice_has_step(asked, step->step) != others && !step->lacks && step->by_device == s->by_device)
				s->steps[s->told++] = step;
		}
}

static const struct side *sorted; /* as qsort() has no context */

static int by_length(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	uint64_t first = sorted->steps[x]->length, second = sorted->steps[y]->length;

	if (first != second)
		return first < second ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void find_middle(struct side *s)
{
	size_t *order = alloc_zero(s->count + 1, sizeof(*order)), beside = 3 * (s->count + 1) / 8;

	if (s->count && 2 * beside >= s->count)
		beside = (s->count - 1) / 2;
	s->middle = alloc_zero(s->count + 1, sizeof(*s->middle));
	for (size_t i = 0; i < s->count; i++)
		order[i] = i;
	sorted = s;
	qsort(order, s->count, sizeof(*order), by_length);
	for (size_t i = beside; i + beside < s->count; i++)
		s->middle[order[i]] = true;
	s->middle_count = s->count - 2 * beside;
	free(order);
}

static void choose(struct side *s, const struct choice *asked)
{
	size_t most = 0;

	for (size_t i = 0; i < s->run.count; i++)
		most += s->run.ranks[i].count;
	s->steps = alloc_zero(most + 1, sizeof(struct why_step *));
	add(s, asked, false);
	s->count = s->told;
	find_middle(s);
	if (s->told && s->told < REFERENCE_LEAST)
		add(s, asked, true);
}

/* What there is of the steps that were asked for. */
static void look(struct side *s, const struct choice *asked)
{
	for (size_t i = 0; i < s->run.count; i++)
		for (size_t k = 0; is_asked(&s->run.ranks[i], asked) && k < s->run.ranks[i].count; k++) {
			const struct why_step *step = &s->run.ranks[i].steps[k];

			if (!choice_has_step(asked, step->step))
				continue;
			s->found++;
			s->lacks = step->lacks ? step->lacks : s->lacks;
			s->by_device |= step->by_device && !step->lacks;
		}
}

void sides_choose(struct side sides[SIDES], const struct choice asked[SIDES])
{
	bool both = true;

	for (unsigned int i = 0; i < SIDES; i++) {
		look(&sides[i], &asked[i]);
		both &= sides[i].by_device;
	}
	for (unsigned int i = 0; i < SIDES; i++) {
		if (!both && sides[i].by_device) {
			why_run_free(&sides[i].run);
			read_run(&sides[i], true);
			sides[i].by_device = false;
			sides[i].timed = true;
		}
		choose(&sides[i], &asked[i]);
	}
}

bool sides_are_nested(const struct side sides[SIDES], const struct choice asked[SIDES])
{
	const struct why_run *run = &sides[SIDE_A].run;

	for (size_t i = 0; i < run->count; i++)
		for (size_t k = 0; is_asked(&run->ranks[i], &asked[SIDE_A]) && k < run->ranks[i].count; k++) {
			int64_t step = run->ranks[i].steps[k].step;

			if (choice_has_step(&asked[SIDE_A], step) && !(is_asked(&run->ranks[i], &asked[SIDE_B]) && choice_has_step(&asked[SIDE_B], step)))
				return false;
		}
	return true;
}

/* ---- numbers of its steps ---- */

static int64_t noise_of(const struct side *s, int64_t *values)
{
	return side_knows_spread(s) ? reference_spread(values, s->told).noise : 0;
}

/* As a standard deviation. */
static double doubt_of(const struct side *s, const int64_t *values, double mean)
{
	double squares = 0;

	if (s->middle_count < 2)
		return 0;
	for (size_t i = 0; i < s->count; i++)
		squares += s->middle[i] ? ((double)values[i] - mean) * ((double)values[i] - mean) : 0;
	return sqrt(squares / (double)(s->middle_count - 1) / (double)s->middle_count);
}

struct spread side_mean(const struct side *s, int64_t *values)
{
	struct spread result;
	double sum = 0, mean;
	int64_t doubt;

	for (size_t i = 0; i < s->count; i++)
		sum += s->middle[i] ? (double)values[i] : 0;
	mean = sum / (double)s->middle_count;
	doubt = (int64_t)doubt_of(s, values, mean);
	result.median = (int64_t)(mean + .5);
	result.noise = noise_of(s, values);
	if (doubt > result.noise)
		result.noise = doubt;
	return result;
}

static int64_t *lengths_of(const struct side *s)
{
	int64_t *values = alloc_zero(s->told + 1, sizeof(*values));

	for (size_t i = 0; i < s->told; i++)
		values[i] = (int64_t)s->steps[i]->length;
	return values;
}

struct spread side_length(const struct side *s)
{
	int64_t *values = lengths_of(s);
	struct spread length = reference_spread(values, s->count);

	free(values);
	values = lengths_of(s);
	length.noise = noise_of(s, values);
	free(values);
	return length;
}

void side_free(struct side *s)
{
	free(s->steps);
	free(s->middle);
	why_run_free(&s->run);
}
