/* steps.c - section: how long each step was, and what filled it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/dropped_steps.h"
#include "analysis/report/section.h"
#include "analysis/report/step_columns.h"
#include "analysis/report/time_sources.h"
#include "analysis/report/whole_steps.h"
#include "analysis/util/alloc.h"
#include "analysis/util/rank_list.h"
#include "config/contents.h"

static void put_step(struct out *o, const struct report *r, const struct step_row *s, bool communication)
{
	step_columns_put(o, r, s, communication);
	out_format(o, "%s%s%s%s\n", s->by_device ? "device" : "host", whole_steps_end(r, s), s->provisional ? ", provisional" : "",
		   dropped_steps_has(r, s->step) ? STEP_COLUMNS_LOST : "");
}

/* Why a step is told by the host's times. */
enum why_host { WHY_CONTENTS,
		WHY_NO_WORK,
		WHY_END,
		WHY_UNTIMED,
		WHY_EVERY,
		WHY_BLOCKING,
		WHY_COUNT };

static enum why_host why_host(const struct report *r, const struct step_row *s)
{
	if (!(contents_of(report_fact(r, "contents")) & CONTENT_DEVICE))
		return WHY_CONTENTS;
	if (!s->sums[WORK_COMPUTE] && !s->sums[WORK_COPY] && !s->sums[WORK_COMMUNICATION])
		return WHY_NO_WORK;
	if (!r->clean_end)
		return WHY_END;
	if (key_values_number(&r->facts, "untimed", 0))
		return WHY_UNTIMED;
	return key_values_number(&r->facts, "device_every", 1) > 1 ? WHY_EVERY : WHY_BLOCKING;
}

static bool any_by_device(const struct report *reports, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < reports[i].step_count; k++)
			if (reports[i].steps[k].by_device)
				return true;
	return false;
}

/* Where other steps have device times. */
static void say_without_work(struct out *o, const struct report *reports, size_t count)
{
	int64_t *numbers = NULL;
	bool outside = false;
	size_t n = 0;
	char *steps;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < reports[i].step_count; k++) {
			const struct step_row *s = &reports[i].steps[k];

			if (s->by_device || why_host(&reports[i], s) != WHY_NO_WORK)
				continue;
			outside |= s->step == STEP_NULL;
			if (s->step == STEP_NULL)
				continue;
			numbers = alloc_grow(numbers, n + 1, sizeof(*numbers));
			numbers[n++] = s->step;
		}
	steps = rank_list("in step", numbers, n);
	out_format(o, "no launch or copy was recorded %s%s%s.\n", n ? steps : "", n && outside ? " and " : "", outside ? "outside steps" : "");
	free(steps);
	free(numbers);
}

static void say_why_host(struct out *o, const bool why[WHY_COUNT], const struct report *reports, size_t count)
{
	static const char *const reasons[WHY_COUNT] = {
		[WHY_CONTENTS] = "add device to --contents for device times.\n",
		[WHY_NO_WORK] = "device is in --contents, but no launch or copy was recorded.\n",
		[WHY_END] = "device is in --contents, but the process is still running, or ended before the times were read.\n",
		[WHY_UNTIMED] = "device is in --contents, but the device times could not be read.\n",
		[WHY_EVERY] = "--device-every: launches have device times in other steps.\n",
		[WHY_BLOCKING] = "device is in --contents, but blocking copies have no device times.\n",
	};

	out_text(o, "TIMES host: no device times, so compute and copy are time spent in the calls;\n");
	for (unsigned int i = 0; i < WHY_COUNT; i++)
		if (why[i] && i == WHY_NO_WORK && any_by_device(reports, count))
			say_without_work(o, reports, count);
		else if (why[i])
			out_text(o, reasons[i]);
}

/* Rounds of a program that counted its steps anew. */
static void say_offsets(struct out *o, const struct report *r)
{
	char rank[COLUMN];
	int64_t offset = 0;

	for (size_t k = 0; k < r->step_count; k++) {
		const struct step_row *s = &r->steps[k];

		if (s->step == STEP_NULL || s->offset == offset)
			continue;
		offset = s->offset;
		out_format(o, "rank %s", column_rank(r, rank));
		column_of_process(o, r);
		out_format(o, ": step %" PRId64 " is its program's step %" PRId64 ", and so on (step = n + %" PRId64 ")\n", s->step,
			   (int64_t)((uint64_t)s->step - (uint64_t)offset), offset);
	}
}

static void say_provisional(struct out *o, const struct report *reports, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < reports[i].step_count; k++) {
			if (!reports[i].steps[k].provisional)
				continue;
			out_text(o, "provisional: the optimizers' round had not repeated yet, so the step begins or ends where one stepped again\n");
			return;
		}
	}
}

static bool any_lost(const struct report *reports, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < reports[i].step_count; k++)
			if (dropped_steps_has(&reports[i], reports[i].steps[k].step))
				return true;
	return false;
}

/* Steps of both are by begin: the next one asked for stands at the place, or not far behind it. */
static const struct step_row *step_of(const struct report *r, int64_t step, size_t *place)
{
	for (size_t i = 0; i < r->step_count; i++) {
		size_t k = (*place + i) % r->step_count;

		if (r->steps[k].step != step)
			continue;
		*place = k + 1;
		return &r->steps[k];
	}
	return NULL;
}

/* Of several processes of a rank, which stand side by side, the one that made most steps: others are forked children. */
static const struct report *trainer_of(const struct report *reports, size_t count, size_t *at)
{
	const struct report *trainer = &reports[*at];

	while (++*at < count && report_is_same_rank(&reports[*at], trainer))
		if (reports[*at].step_count > trainer->step_count)
			trainer = &reports[*at];
	return trainer;
}

static bool counts_otherwise(const struct report *r, const struct report *first, int64_t *step)
{
	size_t place = 0;

	for (size_t k = 0; k < r->step_count; k++) {
		const struct step_row *s = &r->steps[k], *same = step_of(first, s->step, &place);

		*step = s->step;
		if (s->step != STEP_NULL && same && same->offset != s->offset)
			return true;
	}
	return false;
}

/* A rank that was started again alone counts without the rounds of the others. */
static void warn_of_offsets(struct out *o, const struct report *reports, size_t count)
{
	const struct report *first;
	size_t at = 0;
	int64_t step;

	if (!count)
		return;
	first = trainer_of(reports, count, &at);
	while (at < count) {
		if (!counts_otherwise(trainer_of(reports, count, &at), first, &step))
			continue;
		out_format(o, "Ranks count their rounds differently: step %" PRId64 " is not the same on all; compare the "
			      "programs' own numbers.\n",
			   step);
		return;
	}
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	bool host = false, why[WHY_COUNT] = { false };
	bool communication = step_columns_communicate(reports, count);

	(void)top;
	step_columns_head(o, "Steps", reports, communication, "TIMES");
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < reports[i].step_count; k++) {
			put_step(o, &reports[i], &reports[i].steps[k], communication);
			if (reports[i].steps[k].by_device)
				continue;
			host = true;
			why[why_host(&reports[i], &reports[i].steps[k])] = true;
		}
	}
	for (size_t i = 0; i < count; i++)
		say_offsets(o, &reports[i]);
	warn_of_offsets(o, reports, count);
	say_provisional(o, reports, count);
	if (any_lost(reports, count))
		out_text(o, "lost calls: what these did is in no table, so such a step is neither fast nor slow; see Lost and not seen\n");
	time_sources_line(o, reports, count);
	if (host)
		say_why_host(o, why, reports, count);
}

static void json_step(struct out *o, const struct report *r, const struct step_row *s)
{
	step_columns_json(o, s);
	if (s->provisional)
		out_json_truth(o, "provisional", true);
	if (s->offset) {
		out_json_key(o, "offset");
		out_i64(o, s->offset);
	}
	if (dropped_steps_has(r, s->step))
		out_json_truth(o, "lost_calls", true);
	out_char(o, '}');
}

static void json(struct out *o, const struct report *r)
{
	size_t n = r->step_count;

	if (n && r->steps[n - 1].step == STEP_NULL)
		n--;
	out_json_key(o, "steps");
	out_char(o, '[');
	for (size_t i = 0; i < n; i++) {
		out_json_comma(o, i);
		json_step(o, r, &r->steps[i]);
	}
	out_char(o, ']');
	out_json_key(o, "outside_steps");
	if (n < r->step_count)
		json_step(o, r, &r->steps[n]);
	else
		out_text(o, "null");
}

const struct section steps_section = { .text = text, .json = json, .csv = "steps,outside_steps" };
