#include "analysis/why/lateness.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/report/columns.h"
#include "analysis/util/alloc.h"
#include "analysis/util/median.h"
#include "analysis/why/kept.h"

#define PARTS_MATTER 100 /* of the time of its steps */
#define SHOWN	     10
#define NS_MOST	     (1ll << 53) /* 104 days: what a damaged file says may be any number */

struct late {
	uint32_t rank;
	int64_t ns, step;
};

static int by_rank(const void *a, const void *b)
{
	const struct late *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->step > y->step ? -1 : x->step < y->step; /* of equal ones the first is behind, as the worst */
}

/* Of each collective of several ranks the last one, if it is known to have been that. */
static struct late *collect(const struct clocks *clocks, const struct table *meetings, size_t *count)
{
	struct late *list = alloc_zero(meetings->count + 1, sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < meetings->count; i++) {
		const struct meeting *m = table_item(meetings, i);
		int64_t ns = (int64_t)(m->last - m->before);

		if (!m->by_host && m->before && ns < NS_MOST && ns > meetings_doubt(clocks, m->rank, m->rank_before))
			list[(*count)++] = (struct late){ m->rank, ns, m->step };
	}
	qsort(list, *count, sizeof(*list), by_rank);
	return list;
}

/* By several ranks, on their devices. */
static bool is_met(const struct meeting *m)
{
	return m->ranks > 1 && !m->by_host;
}

/* Of one rank, in order. */
static struct late_rank sum_up(const struct why_run *run, const struct why_rank *rank, const struct table *meetings, const struct late *list, size_t count)
{
	struct late_rank late = {
		.rank = rank,
		.last = count,
		.median = median_in_order(&list->ns, count, sizeof(*list)),
		.worst = list[count - 1].ns,
		.worst_step = list[count - 1].step,
	};
	struct meeting_time *times;
	uint64_t length = 0;
	size_t time_count;

	for (size_t i = 0; i < count; i++)
		late.sum += list[i].ns;
	for (size_t i = 0; i < rank->count; i++)
		length += rank->steps[i].length;
	times = kept_times(run, rank, &time_count);
	for (size_t i = 0; i < time_count; i++)
		late.collectives += is_met(table_find(meetings, times[i].meeting));
	free(times);
	late.matters = (uint64_t)late.sum >= length / PARTS_MATTER;
	return late;
}

static int most_first(const void *a, const void *b)
{
	const struct late_rank *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum < y->sum ? 1 : -1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

void lateness_find(struct lateness *l, const struct why_run *run, const struct clocks *clocks, const struct table *meetings)
{
	size_t count, end;
	struct late *list = collect(clocks, meetings, &count);

	*l = (struct lateness){ .list = alloc_zero(run->count + 1, sizeof(*l->list)) };
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && list[end].rank == list[i].rank;)
			end++;
		l->list[l->count++] = sum_up(run, &run->ranks[list[i].rank], meetings, &list[i], end - i);
	}
	qsort(l->list, l->count, sizeof(*l->list), most_first);
	free(list);
}

/* ---- as text and as JSON ---- */

static void put_row(struct out *o, const struct late_rank *late)
{
	char rank[COLUMN], median[COLUMN], worst[COLUMN];

	out_format(o, "%5s %8" PRIu64 " %8" PRIu64 " %7.1f %% %13s %13s  step %" PRId64, column_rank(&late->rank->report, rank), late->last, late->collectives,
		   100.0 * (double)late->last / (double)late->collectives, column_duration((uint64_t)late->median, median),
		   column_duration((uint64_t)late->worst, worst), late->worst_step);
	column_of_process(o, &late->rank->report);
	out_char(o, '\n');
}

void lateness_text(struct out *o, const struct lateness *l)
{
	size_t shown = 0, all = 0;

	for (size_t i = 0; i < l->count; i++)
		all += l->list[i].matters;
	if (!all)
		return;
	out_format(o, "\nLast to collectives\n%5s %8s %8s %9s %13s %13s\n", "RANK", "LAST", "OF", "", "LATE, MEDIAN", "WORST");
	for (size_t i = 0; i < l->count && shown < SHOWN; i++)
		if (l->list[i].matters && ++shown)
			put_row(o, &l->list[i]);
	if (all > shown)
		out_format(o, "and %zu more ranks: --format json has them\n", all - shown);
}

static void json_row(struct out *o, const struct late_rank *late)
{
	why_rank_json(o, late->rank);
	out_json_number(o, "last", late->last);
	out_json_number(o, "collectives", late->collectives);
	out_json_signed(o, "late_median_ns", late->median);
	out_json_signed(o, "late_worst_ns", late->worst);
	out_json_signed(o, "worst_step", late->worst_step);
	out_char(o, '}');
}

void lateness_json(struct out *o, const struct lateness *l)
{
	out_text(o, ",\"last_to_collectives\":[");
	for (size_t i = 0; i < l->count; i++) {
		out_json_comma(o, i);
		json_row(o, &l->list[i]);
	}
	out_char(o, ']');
}

void lateness_free(struct lateness *l)
{
	free(l->list);
}
