#include "analysis/report/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/trace/device_join.h"
#include "analysis/util/alloc.h"

struct gap_work {
	uint64_t begin;
	uint32_t slot;
	uint16_t ring; /* of its call */
};

struct step_works {
	size_t count, capacity;
	struct gap_work *list;
};

struct gap_reading {
	const struct choice *asked;
	struct gap_calls calls;
	struct table works;    /* struct step_works by step */
	struct table rows;     /* struct gap_row by the call's name, or by kind */
	struct spans recorded; /* windows; none: all was */
	struct spans beyond;   /* work of steps that were looked at, behind their ends */
	int64_t step;	       /* that is looked at */
	bool has_thread;
	uint32_t tid; /* that gave the work behind the gap that is looked at */
};

/* ---- what is kept until a step is over ---- */

static void add_work(struct gap_reading *r, int64_t step, const struct gap_work *work)
{
	struct step_works *w;

	if (step == STEP_NULL || !choice_has_step(r->asked, step))
		return;
	w = table_put(&r->works, (uint64_t)step);
	if (w->count == w->capacity) {
		w->capacity = w->capacity ? 2 * w->capacity : 64;
		w->list = alloc_grow(w->list, w->capacity, sizeof(*w->list));
	}
	w->list[w->count++] = *work;
}

void gaps_calls(struct gaps *g, const struct trace_event *list, size_t count)
{
	if (!g->reading || list->step == STEP_NULL)
		return;
	gap_calls_take(&g->reading->calls, list, count);
	for (const struct trace_event *ev = list; ev < list + count; ev++)
		if (step_rows_blocks(ev))
			add_work(g->reading, ev->step, &(struct gap_work){ ev->begin_ns, (uint32_t)ev->slot, (uint16_t)ev->ring });
}

void gaps_work(struct gaps *g, int64_t step, const struct trace_device *dev)
{
	if (g->reading)
		add_work(g->reading, step, &(struct gap_work){ dev->begin_ns, dev->slot, dev->ring });
}

/* ---- one gap ---- */

static void add(struct gap_reading *r, enum gap_kind kind, const char *name, uint64_t begin, uint64_t end)
{
	struct gap_row *row = table_put(&r->rows, name ? (uintptr_t)name : kind);
	uint64_t ns = end - begin;

	row->kind = kind;
	row->count++;
	row->total += ns;
	if (ns > row->longest) {
		row->longest = ns;
		row->longest_step = r->step;
	}
}

static size_t first_call(struct gap_thread *t, uint64_t ns)
{
	if (t->next < t->first || t->next > t->end || (t->next > t->first && gap_call_of(t, t->next - 1)->end > ns))
		t->next = t->first;
	while (t->next < t->end && gap_call_of(t, t->next)->end <= ns)
		t->next++;
	return t->next;
}

/* By the thread's calls in the rings from this one on: what those of one leave free is for the next. */
static void split_by_calls(struct gap_reading *r, size_t from, uint64_t begin, uint64_t end)
{
	struct gap_thread *t;

	while (from < r->calls.threads.count && ((struct gap_thread *)table_item(&r->calls.threads, from))->tid != r->tid)
		from++;
	if (from == r->calls.threads.count) {
		add(r, GAP_BETWEEN, NULL, begin, end);
		return;
	}
	t = table_item(&r->calls.threads, from);
	for (size_t i = first_call(t, begin); i < t->end && begin < end; i++) {
		const struct gap_call *c = gap_call_of(t, i);
		uint64_t stop = c->end < end ? c->end : end;

		if (c->begin >= end)
			break;
		if (c->begin > begin) {
			split_by_calls(r, from + 1, begin, c->begin);
			begin = c->begin;
		}
		if (stop > begin) {
			add(r, GAP_CALL, c->name, begin, stop);
			begin = stop;
		}
	}
	if (begin < end)
		split_by_calls(r, from + 1, begin, end);
}

/* given: when the call of the work behind it had returned. */
static void split_by_host(struct gap_reading *r, uint64_t given, uint64_t forgotten, uint64_t begin, uint64_t end)
{
	uint64_t told = !r->has_thread || forgotten >= end ? end : forgotten > begin ? forgotten
										     : begin;

	if (told > begin)
		add(r, GAP_NOT_TOLD, NULL, begin, told);
	if (given > end)
		given = end;
	if (given > told)
		split_by_calls(r, 0, told, given);
	else
		given = told;
	if (given < end)
		add(r, GAP_GIVEN, NULL, given, end);
}

struct gap {
	uint64_t begin, end, given, forgotten;
};

static void split_by_steps(struct gap_reading *r, const struct gap *g, uint64_t begin, uint64_t end)
{
	for (size_t i = spans_at(&r->beyond, begin); begin < end && i < r->beyond.count && r->beyond.list[i].begin < end; i++) {
		const struct span *other = &r->beyond.list[i];
		uint64_t stop = other->end < end ? other->end : end;

		if (other->begin > begin) {
			split_by_host(r, g->given, g->forgotten, begin, other->begin);
			begin = other->begin;
		}
		add(r, GAP_OTHER_STEP, NULL, begin, stop);
		begin = stop;
	}
	if (begin < end)
		split_by_host(r, g->given, g->forgotten, begin, end);
}

/* Its ns that were recorded. */
static uint64_t split(struct gap_reading *r, const struct gap *g)
{
	uint64_t sum = 0;

	if (!r->recorded.count) {
		split_by_steps(r, g, g->begin, g->end);
		return g->end - g->begin;
	}
	for (size_t i = spans_at(&r->recorded, g->begin); i < r->recorded.count && r->recorded.list[i].begin < g->end; i++) {
		const struct span *window = &r->recorded.list[i];
		uint64_t begin = window->begin > g->begin ? window->begin : g->begin, end = window->end < g->end ? window->end : g->end;

		split_by_steps(r, g, begin, end);
		sum += end - begin;
	}
	return sum;
}

/* ---- the gaps of a step ---- */

/* For each gap the number of the work behind it, from 1; 0: there is none. Works come nearly in order. */
static size_t *works_behind(const struct step_works *w, const struct spans *idle)
{
	size_t *behind = alloc_zero(idle->count, sizeof(*behind));
	size_t at = 0;

	for (size_t i = 0; w && i < w->count; i++) {
		uint64_t begin = w->list[i].begin;

		if (at + 1 < idle->count && idle->list[at].end < begin)
			at++;
		if (idle->list[at].end > begin || (at + 1 < idle->count && idle->list[at + 1].end <= begin))
			at = spans_at(idle, begin - 1);
		if (at == idle->count)
			at--;
		if (idle->list[at].end == begin)
			behind[at] = i + 1;
	}
	return behind;
}

/* Behind the step's last work it is the thread of the one before. */
static void find_thread(struct gap_reading *r, const struct gap_work *work, struct gap *gap)
{
	const struct gap_thread *thread;
	const struct gap_call *call = work ? gap_calls_at(&r->calls, work->ring, work->slot, &thread) : NULL;

	gap->given = UINT64_MAX;
	if (!call) {
		r->has_thread &= !work;
		return;
	}
	r->has_thread = true;
	r->tid = thread->tid;
	gap->given = call->end;
	gap->forgotten = thread->forgotten;
}

static void find_gaps(struct gap_reading *r, struct step_row *row, const struct spans *idle)
{
	struct step_works *w = table_find(&r->works, (uint64_t)row->step);
	size_t *behind = works_behind(w, idle);

	r->step = row->step;
	r->has_thread = false;
	for (size_t i = 0; i < idle->count; i++) {
		const struct span *free_of_work = &idle->list[i];
		struct gap gap = {
			.begin = free_of_work->begin > row->begin ? free_of_work->begin : row->begin,
			.end = free_of_work->end < row->end ? free_of_work->end : row->end,
		};

		if (gap.begin >= gap.end)
			continue;
		find_thread(r, behind[i] ? &w->list[behind[i] - 1] : NULL, &gap);
		row->gaps += split(r, &gap);
	}
	free(behind);
	if (w) {
		free(w->list);
		*w = (struct step_works){ 0 };
	}
}

/* What a step's work did behind the step's end, or, of none, all of it: no gap of another step. */
static void note_beyond(struct gap_reading *r, const struct step_row *row, const struct spans *idle)
{
	uint64_t end = row->step == STEP_NULL ? 0 : row->end;

	for (size_t i = 1; i < idle->count; i++)
		if (idle->list[i].begin > end)
			spans_add(&r->beyond, idle->list[i - 1].end > end ? idle->list[i - 1].end : end, idle->list[i].begin);
	spans_sort(&r->beyond);
}

static void step_is_over(void *context, struct step_row *row, const struct spans *idle)
{
	struct gap_reading *r = context;

	if (row->step != STEP_NULL && choice_has_step(r->asked, row->step))
		find_gaps(r, row, idle);
	if (r->works.count)
		note_beyond(r, row, idle);
	if (row->step != STEP_NULL)
		gap_calls_forget(&r->calls, row->end);
}

/* ---- begin and end ---- */

void gaps_begin(struct gaps *g, struct process *p, const struct choice *asked, struct step_rows *steps)
{
	if (!device_join_may(p))
		return;
	g->reading = alloc_zero(1, sizeof(*g->reading));
	*g->reading = (struct gap_reading){
		.asked = asked,
		.calls = GAP_CALLS,
		.works = TABLE(struct step_works),
		.rows = TABLE(struct gap_row),
	};
	step_rows_recorded(p, &g->reading->recorded);
	steps->over = step_is_over;
	steps->context = g->reading;
}

int gap_rows_order(const void *a, const void *b)
{
	const struct gap_row *x = a, *y = b;

	if (x->kind != y->kind)
		return (int)x->kind - (int)y->kind;
	return x->name ? strcmp(x->name, y->name) : 0;
}

void gap_row_join(struct gap_row *row, const struct gap_row *other)
{
	row->count += other->count;
	row->total += other->total;
	if (other->longest > row->longest) {
		row->longest = other->longest;
		row->longest_step = other->longest_step;
	}
}

/* Two providers have functions of one name. */
static void merge(struct gaps *g)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->count; i++) {
		if (kept && !gap_rows_order(&g->list[kept - 1], &g->list[i])) {
			gap_row_join(&g->list[kept - 1], &g->list[i]);
			free(g->list[i].name);
		} else {
			g->list[kept++] = g->list[i];
		}
	}
	g->count = kept;
}

static void hand_over(struct gaps *g)
{
	struct table *rows = &g->reading->rows;

	for (size_t i = 0; i < rows->count; i++) {
		const char *name = (const char *)(uintptr_t)rows->keys[i];
		struct gap_row *row = table_item(rows, i);

		row->name = row->kind == GAP_CALL ? alloc_text(name, strlen(name)) : NULL;
	}
	g->list = table_hand_over(rows, &g->count, gap_rows_order);
	merge(g);
}

static void forget_reading(struct gaps *g)
{
	struct gap_reading *r = g->reading;

	for (size_t i = 0; i < r->works.count; i++)
		free(((struct step_works *)table_item(&r->works, i))->list);
	gap_calls_free(&r->calls);
	table_free(&r->works);
	spans_free(&r->recorded);
	spans_free(&r->beyond);
	free(r);
	g->reading = NULL;
}

void gaps_finish(struct gaps *g, const struct step_row *steps, size_t count)
{
	if (!g->reading)
		return;
	for (size_t i = 0; i < count; i++) {
		const struct step_row *s = &steps[i];

		if (!s->over || !s->by_device || s->step == STEP_NULL)
			continue;
		g->steps++;
		g->idle += s->idle;
		g->ran_outside += s->gaps > s->idle ? s->gaps - s->idle : 0;
		g->reading->step = s->step;
		if (s->gaps < s->idle)
			add(g->reading, GAP_NOT_TOLD, NULL, s->gaps, s->idle);
	}
	hand_over(g);
	forget_reading(g);
}

void gaps_free(struct gaps *g)
{
	for (size_t i = 0; i < g->count; i++)
		free(g->list[i].name);
	free(g->list);
}
