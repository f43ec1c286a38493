#include "analysis/html/timeline_block.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS	    20
#define LEVEL_FIRST 1024 /* ns */
#define LEVEL_STEP  4	 /* times as coarse as the one below */
#define FEW	    512	 /* slices of a row that need no coarser level */

/* A level of a row: where its bytes are. */
struct level {
	size_t offset, size, count;
};

struct written {
	size_t processes;		/* the first ones; */
	bool *shown;			/* by row: it is of these */
	struct level (*levels)[LEVELS]; /* by row; size 0: there is none */
	uint64_t resolutions[LEVELS];
	size_t count;
};

static struct level encode(const struct row *r, const struct events *e, struct bytes *bytes)
{
	struct level level = { .offset = bytes->count, .count = r->count };

	row_encode(r, e->first, &e->names, bytes);
	level.size = bytes->count - level.offset;
	return level;
}

/* A level that has hardly fewer slices than the finer one is that one. */
static void encode_row(const struct events *e, const struct row *row, struct level *levels, const struct written *w, struct bytes *bytes)
{
	struct row coarse[2] = { { 0 }, { 0 } };
	const struct row *from = row;

	levels[0] = encode(row, e, bytes);
	for (size_t i = 1; i < w->count && from->count > FEW; i++) {
		struct row *to = &coarse[from == &coarse[0]];

		to->count = 0;
		row_merge_into(to, from, w->resolutions[i]);
		levels[i] = levels[i - 1];
		if (to->count > from->count / 2)
			continue;
		levels[i] = encode(to, e, bytes);
		from = to;
	}
	free(coarse[0].list);
	free(coarse[1].list);
}

static void encode_all(struct events *e, struct written *w, struct bytes *bytes)
{
	uint64_t resolution = e->resolution ? e->resolution * LEVEL_STEP : LEVEL_FIRST;

	w->resolutions[0] = e->resolution;
	for (w->count = 1; w->count < LEVELS && resolution < (e->last - e->first) / 256; w->count++, resolution *= LEVEL_STEP)
		w->resolutions[w->count] = resolution;
	w->levels = alloc_zero(e->rows.count + 1, sizeof(*w->levels));
	for (size_t i = 0; i < e->rows.count; i++) {
		if (!w->shown[i])
			continue;
		row_sort(events_row(e, i));
		encode_row(e, events_row(e, i), w->levels[i], w, bytes);
	}
}

/* The finest slices go first, until the rest has room. */
static void encode_within(struct events *e, size_t most, struct written *w, struct bytes *bytes)
{
	for (;;) {
		bytes->count = 0;
		encode_all(e, w, bytes);
		if (bytes->count <= most || e->resolution > e->last - e->first)
			return;
		free(w->levels);
		events_merge(e, e->resolution ? LEVEL_STEP * e->resolution : LEVEL_FIRST);
	}
}

static void choose_rows(const struct events *e, struct written *w)
{
	w->shown = alloc_zero(e->rows.count + 1, sizeof(*w->shown));
	for (size_t i = 0; i < e->lanes.count; i++) {
		const struct page_lane *lane = table_item(&e->lanes, i);
		const struct page_process *p = table_find(&e->processes, lane->process);

		if (p && p < (const struct page_process *)table_item(&e->processes, w->processes))
			for (size_t k = 0; k < DEPTH_MOST; k++)
				if (lane->rows[k])
					w->shown[lane->rows[k] - 1] = true;
	}
}

/* ---- what there is ---- */

static void put_row(struct out *o, const struct written *w, size_t row)
{
	out_format(o, "[%zu", row);
	for (size_t i = 0; i < w->count && (!i || w->levels[row][i].size); i++)
		out_format(o, ",%zu,%zu", w->levels[row][i].offset, w->levels[row][i].count);
	out_char(o, ']');
}

static void put_lane(struct out *o, const struct page_lane *lane, const struct written *w)
{
	size_t rows = 0;

	out_text(o, "\n{\"title\":");
	out_json(o, lane->title);
	out_json_key(o, "index");
	out_i64(o, lane->index);
	out_json_key(o, "rows");
	out_char(o, '[');
	for (size_t i = 0; i < DEPTH_MOST; i++) {
		if (!lane->rows[i])
			continue;
		out_json_comma(o, rows++);
		put_row(o, w, lane->rows[i] - 1);
	}
	out_text(o, "]}");
}

static void put_lanes(struct out *o, const struct events *e, uint64_t process, const struct written *w)
{
	size_t count = 0;

	out_text(o, ",\"lanes\":[");
	for (size_t i = 0; i < e->lanes.count; i++) {
		const struct page_lane *lane = table_item(&e->lanes, i);

		if (lane->process != process)
			continue;
		out_json_comma(o, count++);
		put_lane(o, lane, w);
	}
	out_char(o, ']');
}

static void put_curves(struct out *o, const struct events *e, uint64_t process, struct bytes *bytes)
{
	size_t count = 0;

	out_text(o, ",\"curves\":[");
	for (size_t i = 0; i < e->curves.count; i++) {
		const struct curve *c = table_item(&e->curves, i);

		if (e->curves.keys[i] >> 32 != process)
			continue;
		out_json_comma(o, count++);
		out_text(o, "{\"title\":");
		out_json(o, c->title);
		out_json_text(o, "unit", c->unit);
		out_json_number(o, "offset", bytes->count);
		out_json_number(o, "count", c->count);
		out_char(o, '}');
		curve_encode(c, e->first, bytes);
	}
	out_char(o, ']');
}

static void put_process(struct out *o, const struct events *e, size_t number, const struct written *w, struct bytes *bytes)
{
	const struct page_process *p = table_item(&e->processes, number);

	out_json_comma(o, number);
	out_text(o, "\n{\"title\":");
	out_json(o, p->title);
	out_json_text(o, "label", *p->label ? p->label : NULL);
	out_json_key(o, "rank");
	if (p->has_rank)
		out_i64(o, p->rank);
	else
		out_text(o, "null");
	out_json_number(o, "pid", p->pid);
	put_lanes(o, e, e->processes.keys[number], w);
	put_curves(o, e, e->processes.keys[number], bytes);
	out_char(o, '}');
}

static void put_head(struct out *o, const struct events *e, const struct written *w)
{
	uint64_t first = e->first > e->last ? 0 : e->first;

	out_format(o, "{\"begin_ns\":\"%" PRIu64 "\",\"length_ns\":%" PRIu64 ",\"slices\":%" PRIu64 ",\"held\":%zu", first, first ? e->last - first : 0, e->slices, e->held);
	out_json_number(o, "resolution_ns", e->resolution);
	out_json_number(o, "without_title", e->names.titles.over);
	out_json_number(o, "without_arguments", e->names.arguments.over);
	out_text(o, ",\"resolutions\":[");
	for (size_t i = 0; i < w->count; i++) {
		out_json_comma(o, i);
		out_u64(o, w->resolutions[i]);
	}
	out_text(o, "],");
	names_json(o, &e->names);
}

size_t timeline_block_json_size(const struct events *e)
{
	return 1000 + e->names.titles.bytes + e->names.arguments.bytes + e->names.kinds.count * 16 + e->lanes.count * 60 + e->rows.count * 100 + e->curves.count * 90 + e->processes.count * 150;
}

void timeline_block_put(struct events *e, size_t processes, size_t most, struct out *json, struct bytes *bytes)
{
	size_t for_arrows = e->arrows.count * 4 < most / 4 ? e->arrows.count * 4 : most / 4;
	struct written w = { .processes = processes };

	choose_rows(e, &w);
	names_order(&e->names);
	encode_within(e, most - for_arrows, &w, bytes);
	put_head(json, e, &w);
	out_text(json, ",\"processes\":[");
	for (size_t i = 0; i < processes; i++)
		put_process(json, e, i, &w, bytes);
	out_text(json, "],\"arrows\":[");
	arrows_put(&e->arrows, e->first, w.shown, bytes, bytes->count < most ? most - bytes->count : 0, json);
	out_char(json, ']');
	out_json_number(json, "arrows_left_out", e->arrows.left_out);
	out_json_number(json, "processes_left_out", e->processes.count - processes);
	out_text(json, "}\n");
	free(w.shown);
	free(w.levels);
}
