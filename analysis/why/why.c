#include "analysis/why/why.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/report/columns.h"
#include "analysis/why/sentences.h"

#define SENTENCES_MOST 5

static double percent_of(int64_t ns, int64_t all)
{
	return all ? 100.0 * (double)ns / (double)all : 0;
}

/* ---- text ---- */

static void put_head(struct out *o, const struct why_finding *f)
{
	char rank[COLUMN], excess[COLUMN], length[COLUMN], reference[SENTENCE];
	bool shorter = f->causes.excess < 0;

	sentence_of_reference(reference, f);
	if (f->steps_last)
		out_format(o, "Others waited for rank %s in %zu steps; this one is in the middle of them:\n", column_rank(&f->rank->report, rank), f->steps_last);
	if (f->is_slowest)
		out_format(o, "The steps of rank %s take longer than those of other ranks; this one is in the middle of them:\n", column_rank(&f->rank->report, rank));
	out_format(o, "Step %" PRId64 " of ", f->step->step);
	if (f->rank->report.has_rank)
		out_format(o, "rank %s", column_rank(&f->rank->report, rank));
	else
		out_format(o, "process %" PRIu64, f->rank->report.pid);
	column_of_process(o, &f->rank->report);
	if (f->step->lacks) {
		out_format(o, " %s: it is compared with none; ranktrace report --steps %" PRId64 " shows what there is\n", f->step->lacks, f->step->step);
		return;
	}
	out_format(o, " took %s%s", column_duration(f->step->length - (f->causes.own ? f->step->waited : 0), length), f->causes.own ? " without waiting" : "");
	if (!f->reference.count) {
		out_text(o, ": there is no other whole step to compare it with\n");
		return;
	}
	out_format(o, ", %s (%.0f %%) %s than %s", column_duration((uint64_t)(shorter ? -f->causes.excess : f->causes.excess), excess),
		   percent_of(shorter ? -f->causes.excess : f->causes.excess, f->causes.length), shorter ? "less" : "more", reference);
	if (f->waiting)
		out_format(o, "; %zu rank%s waited for it", f->waiting, f->waiting == 1 ? "" : "s");
	out_text(o, f->stands_out ? "\n" : "; such steps differ by as much by themselves\n");
}

/* A hundredth of the excess is none, unless it is all that is said. */
static bool is_worth_a_line(const struct why_finding *f, int64_t ns)
{
	return f->causes.count == 1 || llabs(ns) >= llabs(f->causes.excess) / 100;
}

static void put_amount(struct out *o, const struct why_finding *f, int64_t ns)
{
	char amount[COLUMN + 1];

	if (ns < 0)
		amount[0] = '-';
	column_duration((uint64_t)llabs(ns), amount + (ns < 0));
	out_format(o, "%13s ", amount);
	if (f->stands_out)
		out_format(o, "%5.1f %%  ", percent_of(ns, f->causes.excess));
}

static void put_cause_line(struct out *o, const struct why_answer *a, const struct why_finding *f, const struct cause *c)
{
	char text[SENTENCE];
	char *evidence = advice_evidence(f, c, &a->paths);

	sentence_of_cause(text, a->run, f, c);
	put_amount(o, f, c->ns);
	out_clean(o, text);
	if (c->kind != WHY_UNEXPLAINED)
		out_format(o, " (%s)", confidence_words[c->confidence]);
	out_char(o, '\n');
	if (evidence) {
		out_text(o, "                       ");
		out_clean(o, evidence);
		out_char(o, '\n');
	}
	free(evidence);
}

static void put_finding(struct out *o, const struct why_answer *a, const struct why_finding *f)
{
	size_t left_out = 0;
	int64_t ns = 0;

	put_head(o, f);
	for (size_t i = 0; i < f->causes.count; i++) {
		const struct cause *c = &f->causes.list[i];

		if (i < SENTENCES_MOST && is_worth_a_line(f, c->ns)) {
			put_cause_line(o, a, f, c);
			continue;
		}
		ns += c->ns;
		left_out++;
	}
	if (!left_out || !is_worth_a_line(f, ns))
		return;
	put_amount(o, f, ns);
	out_format(o, "in %zu smaller amount%s: --format json has %s\n", left_out, left_out == 1 ? "" : "s", left_out == 1 ? "it" : "them");
}

/* Once, of the first that there is more to know of. */
static void put_next(struct out *o, const struct why_answer *a)
{
	char *options = NULL;

	for (size_t i = 0; i < a->findings->count && !options; i++)
		if (!a->findings->list[i].step->lacks)
			options = advice_options(&a->findings->list[i], a->alone);
	if (options)
		out_format(o, "\nto know more, record with: %s\n", options);
	free(options);
}

/* Of hosts that have clocks of their own. */
static void put_clocks(struct out *o, const struct clocks *c)
{
	char residual[COLUMN];

	for (size_t i = 1; i < c->count; i++) {
		const struct host_clock *h = &c->hosts[i];

		if (h->known)
			out_format(o, "clock of %s: %+" PRId64 " ns to that of %s by %zu collectives, to within %s\n", h->host, h->offset, c->hosts[0].host,
				   h->meetings, column_duration((uint64_t)h->residual, residual));
		else
			out_format(o, "clock of %s: not known by any collective with %s: who waited for whom between them is not told\n", h->host, c->hosts[0].host);
	}
}

void why_text(struct out *o, const struct why_answer *a)
{
	const char *lacks = a->run->count && a->run->ranks[0].count ? a->run->ranks[0].steps[0].lacks : NULL;
	size_t whole = 0;

	for (size_t i = 0; i < a->run->count; i++)
		for (size_t k = 0; k < a->run->ranks[i].count; k++)
			whole += !a->run->ranks[i].steps[k].lacks;
	for (size_t i = 0; i < a->findings->count; i++) {
		if (i)
			out_char(o, '\n');
		put_finding(o, a, &a->findings->list[i]);
	}
	if (a->findings->more)
		out_format(o, "\n%zu more step%s out: --steps tells of those that it names\n", a->findings->more, a->findings->more == 1 ? " stands" : "s stand");
	if (!a->findings->count && whole == 1)
		out_text(o, "there is one whole step, and nothing to compare it with: record some more, as --steps 3-9\n");
	else if (!a->findings->count && whole)
		out_format(o,
			   "no step of the %zu whole ones stands out of what they differ by themselves: --steps N tells of one all the same\n"
			   "if all of them are slow: `ranktrace report` has where their time goes, `ranktrace compare` what a faster run has less of\n",
			   whole);
	if (!a->findings->count && !whole)
		out_format(o, "there is no whole step%s%s: record some from their begin to their end, as --steps 3-9\n", lacks ? ", the first " : "", lacks ? lacks : "");
	if (a->lateness)
		lateness_text(o, a->lateness);
	if (a->attendance)
		attendance_text(o, a->attendance);
	put_next(o, a);
	put_clocks(o, a->clocks);
}

/* ---- JSON ---- */

static void json_cause(struct out *o, const struct why_answer *a, const struct why_finding *f, const struct cause *c)
{
	char *evidence = advice_evidence(f, c, &a->paths);
	char text[SENTENCE];

	out_text(o, "{\"kind\":");
	out_json(o, why_words[c->kind]);
	out_json_signed(o, "ns", c->ns);
	out_json_text(o, "confidence", confidence_words[c->confidence]);
	sentence_of_cause(text, a->run, f, c);
	out_json_text(o, "text", text);
	out_json_text(o, "evidence", evidence);
	free(evidence);
	out_char(o, '}');
}

static void json_finding(struct out *o, const struct why_answer *a, const struct why_finding *f)
{
	char *options = advice_options(f, a->alone);
	char text[SENTENCE];

	why_rank_json(o, f->rank);
	out_json_signed(o, "step", f->step->step);
	if (f->reference.count) {
		out_json_signed(o, "excess_ns", f->causes.excess);
		sentence_of_reference(text, f);
	} else {
		out_text(o, ",\"excess_ns\":null");
	}
	out_json_text(o, "reference", f->reference.count ? text : NULL);
	out_json_text(o, "lacks", f->step->lacks);
	out_json_signed(o, "ranks_waiting", (int64_t)f->waiting);
	out_json_truth(o, "slowest_rank", f->is_slowest);
	out_json_signed(o, "steps_last", (int64_t)f->steps_last);
	out_json_key(o, "causes");
	out_char(o, '[');
	for (size_t i = 0; i < f->causes.count; i++) {
		out_json_comma(o, i);
		json_cause(o, a, f, &f->causes.list[i]);
	}
	out_char(o, ']');
	out_json_text(o, "record_next", options);
	free(options);
	out_char(o, '}');
}

static void json_clock(struct out *o, const struct host_clock *h)
{
	out_text(o, "{\"host\":");
	out_json(o, h->host);
	out_json_truth(o, "known", h->known);
	out_json_signed(o, "offset_ns", h->offset);
	out_json_signed(o, "residual_ns", h->residual);
	out_json_number(o, "collectives", h->meetings);
	out_char(o, '}');
}

void why_json(struct out *o, const struct why_answer *a)
{
	out_text(o, "{\"findings\":[");
	for (size_t i = 0; i < a->findings->count; i++) {
		out_json_comma(o, i);
		json_finding(o, a, &a->findings->list[i]);
	}
	out_text(o, "],\"clocks\":[");
	for (size_t i = 0; i < a->clocks->count; i++) {
		out_json_comma(o, i);
		json_clock(o, &a->clocks->hosts[i]);
	}
	out_char(o, ']');
	if (a->lateness)
		lateness_json(o, a->lateness);
	if (a->attendance)
		attendance_json(o, a->attendance);
	out_text(o, "}\n");
}
