#include "analysis/report/step_rows.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/trace/device_join.h"
#include "analysis/util/alloc.h"
#include "analysis/util/parcel.h"
#include "config/selection.h"

#define NOWHERE	     (uint64_t)(STEP_NULL + 1) /* a step that never is: these positions of a ring were lost */
#define STEP_IS_OVER 1000000		       /* events: nothing was heard of it for so long, */
#define IN_ORDER     1000		       /* and where all comes in order for so long */

/* Device times come late, and of several rings each in its turn. */
static bool comes_in_order(const struct process *p)
{
	return process_has_one_ring(p) && !device_join_may(p);
}

void step_rows_init(struct step_rows *s, struct process *p, bool by_stage)
{
	*s = (struct step_rows){
		.process = p,
		.by_stage = by_stage,
		.is_over = comes_in_order(p) ? IN_ORDER : STEP_IS_OVER,
		.rows = TABLE(struct growing_step),
		.ends = TABLE(uint64_t),
		.positions = POSITION_MAP(0),
	};
}

/* ---- times of a row ---- */

static void sum_times(struct step_times *t, struct spans *idle)
{
	uint64_t compute, communication;

	t->busy += spans_union(t->spans, WORK_OTHER, idle);
	for (enum work w = 0; w < WORK_OTHER; w++)
		t->sums[w] += t->spans[w].total;
	compute = t->spans[WORK_COMPUTE].total;
	communication = t->spans[WORK_COMMUNICATION].total;
	t->working += compute && communication ? spans_union(t->spans, WORK_COPY, NULL) : compute + communication;
	for (enum work w = 0; w < WORK_OTHER; w++)
		spans_free(&t->spans[w]);
}

static bool is_by_device(const struct step_row *row)
{
	return row->by_device && (row->timed || !row->computes);
}

static void sum_row(struct step_rows *s, struct step_row *row)
{
	bool asked = s->over && !row->over && is_by_device(row);
	struct spans idle = { 0 };

	sum_times(step_row_host(row), NULL);
	sum_times(step_row_device(row), asked ? &idle : NULL);
	if (!asked)
		return;
	s->over(s->context, row, &idle);
	row->over = true;
	spans_free(&idle);
}

/* The spans of steps that are over need not be kept. */
static void sum_old_steps(struct step_rows *s)
{
	for (; s->summed < s->rows.count; s->summed++) {
		struct step_row *row = table_item(&s->rows, s->summed);

		if (row->newest + s->is_over > s->events)
			return;
		sum_row(s, row);
	}
}

static void finish_row(struct step_rows *s, struct step_row *row)
{
	const struct step_times *t;

	sum_row(s, row);
	row->by_device = is_by_device(row);
	t = row->by_device ? step_row_device(row) : step_row_host(row);
	memcpy(row->sums, t->sums, sizeof(row->sums));
	row->idle = step_row_length(row) > t->busy ? step_row_length(row) - t->busy : 0;
	row->free = step_row_length(row) > t->working ? step_row_length(row) - t->working : 0;
	row->not_overlapped = t->working - row->sums[WORK_COMPUTE];
}

/* ---- what lies between windows ---- */

/* Epochs follow each other without a gap as long as a window is open. Of one that nobody ended it is not known how long it lasted. */
void step_rows_recorded(struct process *p, struct spans *recorded)
{
	if (!p->defs.places.count)
		return;
	for (size_t i = 0; i < p->defs.epochs.count; i++) {
		const struct def_epoch *def = table_item(&p->defs.epochs, i);

		if (def->begin)
			spans_add(recorded, process_time(p, def->begin), def->end ? process_time(p, def->end) : UINT64_MAX);
	}
	spans_sort(recorded);
}

/* What lies before each window; of a stage, which goes on without one, behind the last, too. */
static uint64_t unrecorded_in(const struct spans *recorded, const struct step_row *row)
{
	uint64_t last = row->stage ? UINT64_MAX : recorded->list[recorded->count - 1].begin;

	return spans_left_free(recorded, row->begin, row->end < last ? row->end : last);
}

static void leave_out_gaps(struct step_rows *s)
{
	struct spans recorded = { 0 };

	step_rows_recorded(s->process, &recorded);
	for (size_t i = 0; i < s->rows.count && recorded.count; i++) {
		struct step_row *row = table_item(&s->rows, i);

		if (row->step != STEP_NULL || row->stage)
			row->unrecorded = unrecorded_in(&recorded, row);
	}
	spans_free(&recorded);
}

/* ---- events ---- */

static uint64_t stage_at(const struct step_rows *s, uint32_t epoch)
{
	const struct step_place *place = table_find(&s->process->defs.places, epoch);

	return place ? place->def.stage : 0;
}

void step_rows_enter(struct step_rows *s, uint32_t ring, uint64_t position, uint32_t epoch)
{
	const struct def_epoch *def = table_find(&s->process->defs.epochs, epoch);

	s->row = NULL;
	s->step = def ? def->step : STEP_NULL;
	s->key = s->by_stage ? stage_at(s, epoch) : (uint64_t)s->step;
	s->end = table_put(&s->ends, ring & UINT16_MAX);
	if (position > *s->end)
		position_map_put(&s->positions, ring, *s->end, NOWHERE);
	position_map_put(&s->positions, ring, position, s->key);
}

/* Widens the row by the epoch. */
static void add_epoch(struct step_rows *s, struct step_row *row, const struct trace_event *ev)
{
	const struct def_epoch *def = table_find(&s->process->defs.epochs, ev->epoch);
	uint64_t begin = def && def->begin ? process_time(s->process, def->begin) : ev->begin_ns;
	uint64_t end = def && def->end ? process_time(s->process, def->end) : 0;

	if (!row->events || begin < row->begin)
		row->begin = begin;
	if (end > row->end)
		row->end = end;
	row->step = ev->step;
	row->stage = s->by_stage ? s->key : 0;
	row->epoch = ev->epoch;
	row->offset = def ? def->offset : 0;
	row->provisional |= def && def->flags & EPOCH_PROVISIONAL;
	row->ended = end;
}

static struct step_row *find_row(struct step_rows *s, const struct trace_event *ev)
{
	size_t before = s->rows.count;
	struct step_row *row = table_put(&s->rows, s->key);

	row->newest = s->events;
	if (s->rows.count > before)
		sum_old_steps(s);
	if (!row->events || row->epoch != ev->epoch)
		add_epoch(s, row, ev);
	return row;
}

/* Of a step that did not end, or not yet. */
static void lengthen(struct step_row *row, const struct trace_event *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t end = list[i].begin_ns + list[i].duration_ns;

		row->end = end > row->end ? end : row->end;
	}
}

static inline void add_work(struct step_row *row, const struct trace_event *ev)
{
	uint64_t end = ev->begin_ns + ev->duration_ns;
	enum work work = work_of(ev->kind);

	if (work == WORK_OTHER || ev->result || ev->captured)
		return; /* what failed did no work, nor what a graph keeps */
	spans_add(&step_row_host(row)->spans[work], ev->begin_ns, end);
	row->computes |= work == WORK_COMPUTE;
	if (work == WORK_COPY && step_rows_blocks(ev))
		spans_add(&step_row_device(row)->spans[work], ev->begin_ns, end);
}

void step_rows_take(struct step_rows *s, const struct trace_event *list, size_t count)
{
	if (!s->row)
		s->row = find_row(s, list);
	*s->end = list[count - 1].slot + 1;
	s->row->newest = s->events += count;
	s->row->events += count;
	if (!s->row->ended)
		lengthen(s->row, list, count);
	for (size_t i = 0; i < count; i++)
		add_work(s->row, &list[i]);
}

/* ---- device times ---- */

bool step_rows_passed(const struct step_rows *s, uint16_t ring, uint32_t slot)
{
	const uint64_t *end = table_find(&s->ends, ring);

	return end && (int32_t)(slot - (uint32_t)*end) < 0;
}

struct step_row *step_rows_find(const struct step_rows *s, uint16_t ring, uint32_t slot)
{
	const struct mapped_position *found = position_map_find(&s->positions, ring, slot);

	return found ? table_find(&s->rows, found->value) : NULL;
}

/* ---- the end ---- */

static int by_begin(const void *a, const void *b)
{
	const struct step_row *x = a, *y = b;

	if (!x->stage != !y->stage)
		return x->stage ? -1 : 1;
	if ((x->step == STEP_NULL) != (y->step == STEP_NULL))
		return x->step == STEP_NULL ? 1 : -1;
	return (x->begin > y->begin) - (x->begin < y->begin);
}

static void add_empty(struct step_rows *s, const struct def_epoch *def)
{
	struct step_row *row = table_put(&s->rows, (uint64_t)def->step);

	row->step = def->step;
	row->offset = def->offset;
	row->provisional = def->flags & EPOCH_PROVISIONAL;
	row->begin = process_time(s->process, def->begin);
	row->end = def->end ? process_time(s->process, def->end) : row->begin;
	row->ended = def->end;
}

/* Where calls were lost, a step behind the last event may have had some. */
static int64_t last_certain(const struct step_rows *s)
{
	int64_t last = STEP_NULL;
	uint64_t called, lost = 0;

	for (size_t i = 0; !lost && i < s->process->file_count; i++)
		trace_file_calls(&s->process->files[i], &called, &lost);
	for (size_t i = 0; i < s->rows.count; i++) {
		const struct step_row *row = table_item(&s->rows, i);

		last = row->step > last ? row->step : last;
	}
	return lost ? last : INT64_MAX;
}

/*
 * Of the steps that were selected also those in which nothing was called: that one went by is an answer, too. Not the
 * last one, which may be no more than what follows the last step's end; and of all steps none that is not known to have ended.
 */
static void add_empty_steps(struct step_rows *s)
{
	const char *listed = process_fact(s->process, "steps"), *last = process_fact(s->process, "last_step");
	int64_t certain = last_certain(s);
	struct selection selected;
	char why[64];

	if (!*last || selection_read(&selected, listed, why, sizeof(why)))
		return;
	for (size_t i = 0; i < s->process->defs.epochs.count; i++) {
		const struct def_epoch *def = table_item(&s->process->defs.epochs, i);

		if (def->step != STEP_NULL && def->step < strtoll(last, NULL, 10) && def->step <= certain &&
		    (selected.all ? def->begin && def->end : selection_has(&selected, def->step)) && !table_find(&s->rows, (uint64_t)def->step))
			add_empty(s, def);
	}
}

/* The first ones, as was found out when they had ended. */
static void mark_first(struct step_rows *s)
{
	const char *told = process_fact(s->process, "provisional_to");
	int64_t last = strtoll(told, NULL, 10);

	for (size_t i = 0; *told && i < s->rows.count; i++) {
		struct step_row *row = table_item(&s->rows, i);

		row->provisional |= row->step != STEP_NULL && row->step <= last;
	}
}

/* A step lasts as long as its epochs, also where nothing was called in one. */
static void widen_steps(struct step_rows *s)
{
	uint64_t begin, end;

	for (size_t i = 0; s->process->defs.places.count && i < s->process->defs.epochs.count; i++) {
		const struct def_epoch *def = table_item(&s->process->defs.epochs, i);
		struct step_row *row = def->step == STEP_NULL ? NULL : table_find(&s->rows, (uint64_t)def->step);

		if (row && !def->end)
			row->ended = false;
		if (!row || !def->begin || !def->end)
			continue;
		begin = process_time(s->process, def->begin);
		end = process_time(s->process, def->end);
		row->begin = begin < row->begin ? begin : row->begin;
		row->end = end > row->end ? end : row->end;
	}
}

/* What a stage says of itself is more than its events show: it may have none. */
static void take_stages(struct step_rows *s)
{
	const struct table *stages = &s->process->defs.stages;

	for (size_t i = 0; i < stages->count; i++) {
		uint64_t key = stages->keys[i];
		const struct def_stage *def = &((const struct stage *)table_item(stages, i))->def;
		struct step_row *row = table_put(&s->rows, key);

		row->stage = key;
		row->step = def->step;
		row->begin = process_time(s->process, def->begin);
		row->cut = row->events && row->ended && !def->end;
		row->ended = def->end;
		if (def->end || !row->events)
			row->end = def->end ? process_time(s->process, def->end) : row->begin;
	}
}

/* What has been summed up is left behind: a run of many ranks has many rows. */
static struct step_row *shrink(struct growing_step *grown, size_t count)
{
	struct step_row *rows = (struct step_row *)grown;

	for (size_t i = 0; i < count; i++)
		memmove(&rows[i], &grown[i].row, sizeof(*rows));
	return count ? alloc_grow(rows, count, sizeof(*rows)) : rows;
}

struct step_row *step_rows_finish(struct step_rows *s, size_t *count)
{
	struct growing_step *grown;

	if (s->by_stage) {
		take_stages(s);
	} else {
		add_empty_steps(s);
		widen_steps(s);
		mark_first(s);
	}
	leave_out_gaps(s);
	for (size_t i = 0; i < s->rows.count; i++)
		finish_row(s, table_item(&s->rows, i));
	table_free(&s->ends);
	position_map_free(&s->positions);
	grown = table_hand_over(&s->rows, count, by_begin);
	return shrink(grown, *count);
}

void step_row_parcel(struct parcel *p, struct step_row *row)
{
	uint64_t *const numbers[] = { &row->stage, &row->begin, &row->end, &row->events, &row->idle, &row->not_overlapped, &row->free, &row->unrecorded, &row->gaps };
	bool *const truths[] = { &row->ended, &row->provisional, &row->cut, &row->computes, &row->timed, &row->by_device };

	PARCEL(p, row->step);
	PARCEL(p, row->offset);
	PARCEL_U64S(p, row->sums);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		parcel_u64(p, numbers[i]);
	for (size_t i = 0; i < sizeof(truths) / sizeof(*truths); i++)
		parcel_truth(p, truths[i]);
}
