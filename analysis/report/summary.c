/* summary.c - section: how much there is, what all steps have in common, and which stand out. */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/report/columns.h"
#include "analysis/report/losses.h"
#include "analysis/report/section.h"
#include "analysis/report/whole_steps.h"
#include "analysis/util/alloc.h"
#include "analysis/util/median.h"

#define SLOWEST	 5
#define FORECAST 1000 /* steps */

struct whole_step {
	uint64_t ns;
	const struct step_row *row;
	const struct report *of;
};

/* Those of all ranks, slowest first. */
struct whole_steps {
	struct whole_step *list;
	size_t count, others;
	size_t processes, ranks; /* that have some */
};

static int slowest_first(const void *a, const void *b)
{
	const struct whole_step *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Of what comes by rank; without a rank each process is one. */
static bool is_another_rank(const struct report *r, const struct report *before)
{
	return !before || !r->has_rank || !report_is_same_rank(r, before);
}

static struct whole_steps collect(const struct report *reports, size_t count)
{
	const struct report *last = NULL;
	struct whole_steps w = { 0 };
	size_t most = 0;

	for (size_t i = 0; i < count; i++)
		most += reports[i].step_count;
	w.list = alloc_zero(most + 1, sizeof(*w.list));
	for (size_t i = 0; i < count; i++) {
		size_t before = w.count;

		for (size_t k = 0; k < reports[i].step_count; k++) {
			const struct step_row *s = &reports[i].steps[k];

			if (whole_steps_have(&reports[i], s))
				w.list[w.count++] = (struct whole_step){ step_row_length(s), s, &reports[i] };
			else
				w.others += s->step != STEP_NULL;
		}
		if (w.count == before)
			continue;
		w.processes++;
		w.ranks += is_another_rank(&reports[i], last);
		last = &reports[i];
	}
	qsort(w.list, w.count, sizeof(*w.list), slowest_first);
	return w;
}

/* The least that so many of a hundred do not exceed. */
static uint64_t percentile(const struct whole_steps *w, size_t percent)
{
	return w->list[w->count - (w->count * percent + 99) / 100].ns;
}

static uint64_t median(const struct whole_steps *w)
{
	return (uint64_t)median_in_order((const int64_t *)&w->list->ns, w->count, sizeof(*w->list));
}

static void put_slowest(struct out *o, const struct whole_steps *w)
{
	char duration[COLUMN], rank[COLUMN];

	out_text(o, "slowest: ");
	for (size_t i = 0; i < w->count && i < SLOWEST; i++) {
		const struct whole_step *s = &w->list[i];

		out_format(o, "%sstep %" PRId64, i ? ", " : "", s->row->step);
		if (w->processes > 1) {
			out_format(o, " of rank %s", column_rank(s->of, rank));
			column_of_process(o, s->of);
		}
		out_format(o, " %s", column_duration(s->ns, duration));
	}
	out_char(o, '\n');
}

/* Of steps whose work has times by the device, if there are such: what filled them. */
static void put_shares(struct out *o, const struct whole_steps *w)
{
	uint64_t all = 0, compute = 0, copy = 0, communication = 0, idle = 0;
	size_t timed = 0;

	for (size_t i = 0; i < w->count; i++)
		timed += w->list[i].row->by_device;
	for (size_t i = 0; i < w->count; i++) {
		const struct step_row *s = w->list[i].row;

		if (timed && !s->by_device)
			continue;
		all += w->list[i].ns;
		compute += s->sums[WORK_COMPUTE];
		copy += s->sums[WORK_COPY];
		communication += s->not_overlapped;
		idle += s->idle;
	}
	if (!all)
		return;
	out_format(o, "%s: compute %.1f %%, copies %.1f %%, communication not overlapped %.1f %%, idle %.1f %%",
		   timed ? "of their time on the device" : "of their time in the calls", 100.0 * (double)compute / (double)all,
		   100.0 * (double)copy / (double)all, 100.0 * (double)communication / (double)all, 100.0 * (double)idle / (double)all);
	if (timed && timed < w->count)
		out_format(o, " (of the %zu that have such times)", timed);
	out_char(o, '\n');
}

/* As many as the job has, where it is told, or as processes were seen. */
static uint64_t ranks_of(const struct report *reports, size_t count)
{
	uint64_t most = count;

	for (size_t i = 0; i < count; i++) {
		uint64_t world = key_values_number(&reports[i].facts, "world", 0);

		most = world > most ? world : most;
	}
	return most;
}

/* Of its rank's files a step has the part that it has of the events. */
static void put_size(struct out *o, const struct whole_steps *w, const struct report *reports, size_t count)
{
	uint64_t ranks = ranks_of(reports, count);
	bool shared = reports->with_pid;
	char step[COLUMN], all[COLUMN];
	double bytes = 0;

	for (size_t i = 0; i < w->count; i++)
		if (w->list[i].of->kept)
			bytes += (double)w->list[i].of->bytes * (double)w->list[i].row->events / (double)w->list[i].of->kept;
	bytes /= (double)w->count;
	out_format(o, "trace: %s a step of a %s; %d steps of %" PRIu64 " %s would take %s\n", column_bytes((uint64_t)bytes, step),
		   shared ? "process" : "rank", FORECAST, ranks, shared ? "processes" : ranks == 1 ? "rank"
												   : "ranks",
		   column_bytes((uint64_t)(bytes * FORECAST * (double)ranks), all));
}

static void put_losses(struct out *o, const struct report *reports, size_t count)
{
	uint64_t called = 0, missed = 0;
	bool lost = false;

	for (size_t i = 0; i < count; i++) {
		called += reports[i].called;
		missed += report_missed(&reports[i]);
		lost |= losses_any(&reports[i]);
		for (size_t k = 0; k < reports[i].without_count; k++) {
			called += reports[i].without_files[k].called;
			missed += report_missed(&reports[i].without_files[k]);
		}
	}
	if (missed)
		out_format(o, "lost: %" PRIu64 " of %" PRIu64 " calls (%.2g %%); see Lost and not seen", missed, called,
			   called ? 100.0 * (double)missed / (double)called : 0);
	else
		out_text(o, lost ? "not all is there: see Lost and not seen" : "nothing was lost");
}

static void put_total(struct out *o, const struct report *reports, size_t count)
{
	uint64_t kept = 0, files = 0;

	for (size_t i = 0; i < count; i++) {
		kept += reports[i].kept;
		files += reports[i].files;
	}
	out_format(o, "%zu process%s, %" PRIu64 " file%s, %" PRIu64 " event%s\n",
		   count, count == 1 ? "" : "es",
		   files, files == 1 ? "" : "s", kept, kept == 1 ? "" : "s");
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	struct whole_steps w = collect(reports, count);
	char half[COLUMN], most[COLUMN];

	(void)top;
	put_total(o, reports, count);
	if (w.count || w.others)
		out_text(o, "\nSummary\n");
	if (w.count) {
		out_format(o, "%zu whole step%s of %zu rank%s: median %s, p95 %s\n", w.count, w.count == 1 ? "" : "s", w.ranks, w.ranks == 1 ? "" : "s",
			   column_duration(median(&w), half), column_duration(percentile(&w, 95), most));
		put_slowest(o, &w);
		put_shares(o, &w);
		put_size(o, &w, reports, count);
	}
	if (w.count || w.others) {
		put_losses(o, reports, count);
		if (w.others)
			out_format(o, "; %s%zu step%s without a whole length: see Steps", w.count ? "left out: " : "", w.others, w.others == 1 ? "" : "s");
		out_char(o, '\n');
	}
	out_char(o, '\n');
	free(w.list);
}

const struct section summary_section = { .text = text };
