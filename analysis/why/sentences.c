#include "analysis/why/sentences.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/why/meetings.h"

struct line {
	char *text;
	size_t used;
	const struct why_run *run;
	const struct why_finding *of;
};

static void put(struct line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct line *l, const char *format, ...)
{
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(l->text + l->used, SENTENCE - l->used, format, arguments);
	va_end(arguments);
	if (n > 0)
		l->used += (size_t)n < SENTENCE - l->used ? (size_t)n : SENTENCE - l->used - 1;
}

static const char *call_or(const char *name, const char *otherwise)
{
	return *name ? name : otherwise;
}

/* Of one thing that was there more than once: else its sum reads as if it took that long each time. */
static void put_times(struct line *l, const struct subject *s, const struct cause *c)
{
	char now[COLUMN], before[COLUMN];
	bool summed = s && (c->now_count > 1 || c->reference_count > 1);

	put(l, ": %s%s instead of %s", column_duration((uint64_t)c->now_ns, now), summed ? " in all" : "", c->reference_ns ? column_duration((uint64_t)c->reference_ns, before) : "none");
	if (c->now_ns - c->reference_ns > c->ns + c->ns / 10)
		put(l, ", while others of its kind took less than usual");
}

static void put_counts(struct line *l, const struct cause *c, const char *what)
{
	if (c->now_count != c->reference_count)
		put(l, ", %" PRId64 " %s%s instead of %" PRId64, c->now_count, what, c->now_count == 1 ? "" : "s", c->reference_count);
}

/* Where the program marked what it does, too. */
static void put_longest(struct line *l, const struct cause *c)
{
	char longest[COLUMN];

	if (!c->longest || c->ns <= 0 || c->longest < (uint64_t)c->ns / 2 || (int64_t)c->longest < c->reference_longest + c->ns / 2)
		return; /* others have such a piece, too: it is not what is more */
	put(l, " (%s in one piece", column_duration(c->longest, longest));
	if (c->inside)
		put(l, ", inside %.120s", subjects_get(&l->run->subjects, c->inside - 1)->name);
	if (c->asked)
		put(l, ", %.400s", c->asked);
	put(l, ")");
}

static void put_asked(struct line *l, const struct cause *c)
{
	if (c->asked)
		put(l, ", %s%.400s", c->now_count > 1 ? "the longest " : "", c->asked);
}

/* ---- a kind each ---- */

typedef void put_cause(struct line *l, const struct subject *s, const struct cause *c);

static void put_gap(struct line *l, const struct subject *s, const struct cause *c)
{
	if (s)
		put(l, "the host made no %scall between %.120s and %.120s", why_rank_has_all_calls(l->of->rank) ? "" : "recorded ", call_or(s->name, "the beginning of the trace"),
		    call_or(s->detail, "the end of the trace"));
	else
		put(l, "the host took longer between its calls, in many places");
	put_times(l, s, c);
	put_counts(l, c, "gap");
}

static void put_call(struct line *l, const struct subject *s, const struct cause *c)
{
	if (s)
		put(l, "the host was in %.120s%s%.200s", s->name, *s->detail ? " of " : "", s->detail);
	else
		put(l, "the host was longer in many calls");
	put_times(l, s, c);
	put_counts(l, c, "call");
}

static void put_kernel(struct line *l, const struct subject *s, const struct cause *c)
{
	char now[COLUMN], before[COLUMN];
	static const char *const more[WHY_KINDS] = {
		[WHY_KERNEL_TIME] = "ran longer",
		[WHY_KERNEL_COUNT] = "ran more often",
		[WHY_KERNEL_SHAPE] = "ran with other sizes than in other steps",
	};

	if (s)
		put(l, "%.600s %s", s->name, more[c->kind]);
	else if (c->reference_ns)
		put(l, "the kernels took %.2f times as long", (double)c->now_ns / (double)c->reference_ns);
	else
		put(l, "kernels ran");
	if (c->kind == WHY_KERNEL_COUNT)
		put(l, ": %" PRId64 " times instead of %" PRId64, c->now_count, c->reference_count);
	else if (c->kind == WHY_KERNEL_TIME && c->now_count > c->reference_count && c->reference_count)
		put(l, ": each %s instead of %s", column_duration((uint64_t)(c->now_ns / c->now_count), now),
		    column_duration((uint64_t)(c->reference_ns / c->reference_count), before));
	else
		put_times(l, s, c);
	if (c->early)
		put(l, ", given to the device before this step");
}

#define RATE_LEAST (1 << 20) /* bytes: what less takes says nothing of how fast copies are */

static void put_rate(struct line *l, int64_t count, int64_t bytes, int64_t ns)
{
	char amount[COLUMN];

	put(l, "%" PRId64 " of %s%s", count, column_bytes((uint64_t)bytes, amount), count > 1 ? " in all" : "");
	if (ns > 0 && bytes >= RATE_LEAST)
		put(l, " at %.3g GB/s", (double)bytes / (double)ns);
}

static void put_copy(struct line *l, const struct subject *s, const struct cause *c)
{
	if (s)
		put(l, "copies by %.120s%s%s", s->name, *s->detail ? " " : "", s->detail);
	else
		put(l, "copies of many kinds");
	put_times(l, NULL, c);
	put(l, ", ");
	put_rate(l, c->now_count, c->now_bytes, c->now_ns);
	if (c->reference_count) {
		put(l, " instead of ");
		put_rate(l, c->reference_count, c->reference_bytes, c->reference_ns);
	}
	if (c->early)
		put(l, ", given to the device before this step");
}

static void put_transfer(struct line *l, const struct subject *s, const struct cause *c)
{
	put(l, "%.120s took longer once its ranks were there", s ? s->name : "collectives");
	put_times(l, s, c);
}

static void put_allocation(struct line *l, const struct subject *s, const struct cause *c)
{
	put(l, "%.120s took longer", s ? s->name : "calls that take and give back memory");
	put_times(l, s, c);
	put_counts(l, c, "call");
}

static void put_first(struct line *l, const struct subject *s, const struct cause *c)
{
	if (s && s->kind == WHY_KERNEL_TIME)
		put(l, "%.600s ran for the first time in this trace", s->name);
	else if (s && *s->detail)
		put(l, "the first call of %.120s by %.120s", s->detail, s->name);
	else
		put(l, "%.120s built or loaded something", s ? s->name : "calls that");
	put_times(l, s, c);
	put_counts(l, c, "call");
}

static void put_idle(struct line *l, const struct subject *s, const struct cause *c)
{
	put(l, "the device stood idle though it had been given work%s%.120s", s ? ", before " : "", s ? s->name : "");
	put_times(l, s, c);
}

static void put_unexplained(struct line *l, const struct subject *s, const struct cause *c)
{
	(void)s;
	put(l, c->ns < 0 ? "other things took less than usual" : "the rest: no part of it stands out of what steps differ by themselves");
}

/* Of the first cause what it is due to there was looked for. */
static void put_wait(struct line *l, const struct subject *s, const struct cause *c)
{
	const struct why_finding *there = c == l->of->causes.list ? l->of->waits_for : NULL;
	char rank[COLUMN], text[SENTENCE];

	if (s)
		put(l, "%.120s waited for rank %s, which came last", s->name, column_rank(&meetings_last(l->run, s)->report, rank));
	else
		put(l, "collectives waited for other ranks");
	put_times(l, s, c);
	if (there && there->step->lacks)
		put(l, "; there the step %s", there->step->lacks);
	if (!there || !there->causes.count)
		return;
	if (there->causes.list->kind == WHY_UNEXPLAINED) {
		put(l, "; what held that one up does not stand out");
		return;
	}
	sentence_of_cause(text, l->run, there, there->causes.list);
	put(l, "; there %s", text);
}

void sentence_of_cause(char text[SENTENCE], const struct why_run *run, const struct why_finding *f, const struct cause *c)
{
	static put_cause *const puts[WHY_KINDS] = {
		[WHY_HOST_GAP] = put_gap,
		[WHY_HOST_CALL] = put_call,
		[WHY_KERNEL_TIME] = put_kernel,
		[WHY_KERNEL_COUNT] = put_kernel,
		[WHY_KERNEL_SHAPE] = put_kernel,
		[WHY_COPY] = put_copy,
		[WHY_WAIT] = put_wait,
		[WHY_TRANSFER] = put_transfer,
		[WHY_ALLOCATION] = put_allocation,
		[WHY_FIRST_CALL] = put_first,
		[WHY_IDLE] = put_idle,
		[WHY_UNEXPLAINED] = put_unexplained,
	};
	struct line l = { text, 0, run, f };

	puts[c->kind](&l, c->subject == CAUSE_MANY ? NULL : subjects_get(&run->subjects, c->subject), c);
	if (c->kind == WHY_HOST_GAP || c->kind == WHY_HOST_CALL)
		put_longest(&l, c);
	else
		put_asked(&l, c);
}

void sentence_of_reference(char text[SENTENCE], const struct why_finding *f)
{
	size_t n = f->reference.count;

	if (!n)
		snprintf(text, SENTENCE, "nothing");
	else if (f->reference.other_ranks)
		snprintf(text, SENTENCE, "the same step of %zu other rank%s", n, n == 1 ? "" : "s, the median");
	else
		snprintf(text, SENTENCE, "%s%zu other whole step%s of this rank", n == 1 ? "" : "the median of ", n, n == 1 ? "" : "s");
}
