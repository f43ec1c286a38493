#include "analysis/compare/sides.h"

#include <stdlib.h>

#include "analysis/report/memory.h"
#include "analysis/util/alloc.h"
#include "analysis/why/meetings.h"

static bool is_asked(const struct why_rank *rank, const struct choice *asked)
{
	return choice_has_rank(asked, rank->report.has_rank, rank->report.rank);
}

static void read_run(struct side *s, bool by_host)
{
	static const struct choice all = CHOICE_ALL;
	struct clocks clocks;

	why_run_read(&s->run, s->trace, &all, by_host);
	clocks_align(&clocks, &s->run);
	meetings_share(&s->run, &clocks);
	clocks_free(&clocks);
}

void side_read(struct side *s, struct trace *t, const struct choice *asked)
{
	*s = (struct side){ .trace = t };
	read_run(s, false);
	for (size_t i = 0; i < s->run.count; i++) {
		const struct why_rank *rank = &s->run.ranks[i];
		const struct memory *memory = rank->report.sections[SECTION_memory];

		if (!is_asked(rank, asked))
			continue;
		s->ranks++;
		if (memory->places[PLACE_DEVICE].peak_bytes > s->peak)
			s->peak = memory->places[PLACE_DEVICE].peak_bytes;
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

static void choose(struct side *s, const struct choice *asked)
{
	size_t most = 0;

	for (size_t i = 0; i < s->run.count; i++)
		most += s->run.ranks[i].count;
	s->steps = alloc_zero(most + 1, sizeof(struct why_step *));
	add(s, asked, false);
	s->count = s->told;
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

/* ---- numbers of its steps ---- */

struct spread side_spread(const struct side *s, int64_t *values)
{
	struct spread all, asked = reference_spread(NULL, 0);
	int64_t *own = alloc_zero(s->count + 1, sizeof(*own));

	for (size_t i = 0; i < s->count; i++)
		own[i] = values[i];
	if (s->count)
		asked = reference_spread(own, s->count);
	free(own);
	all = reference_spread(values, s->told);
	asked.noise = side_knows_spread(s) ? all.noise : 0;
	return asked;
}

struct spread side_length(const struct side *s)
{
	int64_t *values = alloc_zero(s->told + 1, sizeof(*values));
	struct spread length;

	for (size_t i = 0; i < s->told; i++)
		values[i] = (int64_t)s->steps[i]->length;
	length = side_spread(s, values);
	free(values);
	return length;
}

void side_free(struct side *s)
{
	free(s->steps);
	why_run_free(&s->run);
}
