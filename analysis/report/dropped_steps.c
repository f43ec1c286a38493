/* dropped_steps.c - each run of calls that found a ring full stands in the trace, with its time. */
#include "analysis/report/dropped_steps.h"

#include <inttypes.h>

#include "agent/format/causes.h"
#include "analysis/report/step_rows.h"

#define SHOWN 5

void dropped_steps_take(void *kept, const struct trace_lost *lost)
{
	struct dropped_steps *d = kept;
	size_t i = 0;

	while (i < d->count && (d->list[i].first != lost->first_step || d->list[i].last != lost->last_step))
		i++;
	if (i == DROPPED_PLACES)
		return;
	if (i == d->count)
		d->list[d->count++] = (struct dropped_place){ .first = lost->first_step, .last = lost->last_step, .begin_ns = lost->begin_ns };
	d->list[i].calls += lost->calls;
	if (lost->begin_ns < d->list[i].begin_ns)
		d->list[i].begin_ns = lost->begin_ns;
	if (lost->end_ns > d->list[i].end_ns)
		d->list[i].end_ns = lost->end_ns;
}

static int64_t last_step(const struct report *r)
{
	size_t k = r->step_count;

	while (k && r->steps[k - 1].step == STEP_NULL)
		k--;
	return k ? r->steps[k - 1].step : STEP_NULL;
}

/* More calls than the trace has places for. */
static bool has_more(const struct report *r)
{
	const struct dropped_steps *d = r->sections[SECTION_losses];
	uint64_t told = 0;

	for (size_t i = 0; i < d->count; i++)
		told += d->list[i].calls;
	return report_missed(r) > told;
}

/* Behind what ended the recording all that came was lost, else it may be anywhere. */
bool dropped_steps_untold(const struct report *r)
{
	uint32_t cause = session_cause_of(report_fact(r, "cause"));

	return has_more(r) && (cause == CAUSE_COUNT || !session_cause_is_final(cause));
}

static bool may_be_elsewhere(const struct report *r, int64_t step)
{
	return dropped_steps_untold(r) || (has_more(r) && step == last_step(r));
}

/* Those that began before all steps were outside them, too. */
static bool is_in(const struct dropped_place *p, int64_t step)
{
	if (step == STEP_NULL || p->last == STEP_NULL)
		return p->first == step || p->last == step;
	return (p->first == STEP_NULL || p->first <= step) && step <= p->last;
}

bool dropped_steps_has(const struct report *r, int64_t step)
{
	const struct dropped_steps *d = r->sections[SECTION_losses];

	for (size_t i = 0; i < d->count; i++)
		if (is_in(&d->list[i], step))
			return true;
	return may_be_elsewhere(r, step);
}

bool dropped_steps_between(const struct report *r, uint64_t begin_ns, uint64_t end_ns, int64_t step)
{
	const struct dropped_steps *d = r->sections[SECTION_losses];

	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].begin_ns <= end_ns && begin_ns <= d->list[i].end_ns)
			return true;
	return may_be_elsewhere(r, step);
}

static void put_place(struct out *o, const struct dropped_place *p)
{
	if (p->last == STEP_NULL)
		out_text(o, "outside of steps");
	else if (p->first == p->last)
		out_format(o, "in step %" PRId64, p->last);
	else if (p->first == STEP_NULL)
		out_format(o, "up to step %" PRId64, p->last);
	else
		out_format(o, "in steps %" PRId64 " to %" PRId64, p->first, p->last);
	out_format(o, " %" PRIu64, p->calls);
}

void dropped_steps_line(struct out *o, const struct report *r)
{
	const struct dropped_steps *d = r->sections[SECTION_losses];
	uint64_t rest = report_missed(r);

	if (!rest || !d->count)
		return;
	out_text(o, "  of these ");
	for (size_t i = 0; i < d->count && i < SHOWN; i++) {
		out_text(o, i ? ", " : "");
		put_place(o, &d->list[i]);
		rest -= d->list[i].calls < rest ? d->list[i].calls : rest;
	}
	if (rest)
		out_format(o, ", elsewhere %" PRIu64, rest);
	out_char(o, '\n');
}

static void put_step(struct out *o, int64_t step)
{
	if (step == STEP_NULL)
		out_text(o, "null");
	else
		out_i64(o, step);
}

void dropped_steps_json(struct out *o, const struct report *r)
{
	const struct dropped_steps *d = r->sections[SECTION_losses];

	out_text(o, ",\"dropped_in\":[");
	for (size_t i = 0; i < d->count; i++) {
		out_text(o, i ? ",{\"first_step\":" : "{\"first_step\":");
		put_step(o, d->list[i].first);
		out_text(o, ",\"last_step\":");
		put_step(o, d->list[i].last);
		out_json_number(o, "calls", d->list[i].calls);
		out_char(o, '}');
	}
	out_char(o, ']');
}
