#include "analysis/export/ascend/tables.h"

#include "analysis/export/ascend/words.h"
#include "analysis/trace/words.h"

static void not_known(struct out *o)
{
	out_text(o, "N/A");
}

/* ---- values ---- */

static void put_step(struct out *o, const struct ascend_step *step)
{
	if (step)
		out_i64(o, step->step);
}

bool ascend_blocks(const struct launch *launch, uint64_t *blocks)
{
	*blocks = 1;
	for (uint32_t i = 0; launch && i < launch->def.dimensions; i++)
		*blocks *= launch->def.has_local && launch->def.local[i] ? launch->def.global[i] / launch->def.local[i] : launch->def.global[i];
	return launch && launch->def.dimensions;
}

static void put_blocks(struct out *o, const struct launch *launch)
{
	uint64_t blocks;

	if (ascend_blocks(launch, &blocks))
		out_u64(o, blocks);
	else
		not_known(o);
}

void ascend_shapes_text(struct out *o, const struct shapes *shapes, enum ascend_shape_part part)
{
	for (uint32_t i = 0; i < shapes->def.tensors; i++) {
		const struct def_tensor *t = &shapes->tensors[i];

		if (i)
			out_char(o, ';');
		if (part == PART_TYPES)
			out_text(o, words_data(t->type));
		if (part == PART_FORMATS)
			out_text(o, t->format ? format_words[t->format] : "N/A");
		for (uint32_t k = 0; part == PART_DIMENSIONS && k < t->dimensions; k++) {
			if (k)
				out_char(o, ',');
			out_i64(o, t->dimension[k]);
		}
	}
}

static void put_part_of_shapes(struct out *o, const struct launch *operator_, enum ascend_shape_part part)
{
	if (!operator_ || !operator_->shapes) {
		not_known(o);
		return;
	}
	out_char(o, '"');
	ascend_shapes_text(o, operator_->shapes, part);
	out_char(o, '"');
}

static void put_shapes(struct out *o, const struct launch *operator_)
{
	put_part_of_shapes(o, operator_, PART_DIMENSIONS);
}

static void put_types(struct out *o, const struct launch *operator_)
{
	put_part_of_shapes(o, operator_, PART_TYPES);
}

static void put_formats(struct out *o, const struct launch *operator_)
{
	put_part_of_shapes(o, operator_, PART_FORMATS);
}

static void put_ratio(struct out *o, uint64_t part, uint64_t all)
{
	out_format(o, "%.3f", all ? 100.0 * (double)part / (double)all : 0.0);
}

static void put_time(struct out *o, uint64_t ns)
{
	if (ns)
		out_micro(o, ns);
	else
		not_known(o);
}

static void put_part(struct out *o, uint64_t bytes, uint64_t unit)
{
	if (bytes == UINT64_MAX)
		not_known(o);
	else
		out_format(o, "%.6f", (double)bytes / (double)unit);
}

static void put_megabytes(struct out *o, uint64_t bytes)
{
	put_part(o, bytes, 1u << 20);
}

static void put_device(struct out *o, const struct ascend *a, const struct pool *pool, bool host)
{
	if (host)
		out_text(o, "CPU");
	else
		out_format(o, "NPU:%u", pool ? pool->def.device : a->device);
}

/* ---- columns ---- */

#define COLUMN(table, symbol, title, level, source, note, write)                                              \
	static void put_##table##_##symbol(struct out *o, const struct ascend *a, const struct ascend_row *r) \
	{                                                                                                     \
		(void)a;                                                                                      \
		(void)r;                                                                                      \
		write;                                                                                        \
	}
#define UNKNOWN(table, symbol, title, level, note) COLUMN(table, symbol, title, level, UNKNOWN, note, not_known(o))
#define ELSEWHERE(...)
#include "analysis/export/ascend/columns.def"
#undef COLUMN

static const struct column {
	enum ascend_table table;
	int level;
	const char *title;
	void (*put)(struct out *o, const struct ascend *a, const struct ascend_row *r);
} columns[] = {
#define COLUMN(table, symbol, title, level, source, note, write) { TABLE_##table, level, title, put_##table##_##symbol },
#include "analysis/export/ascend/columns.def"
#undef COLUMN
};
#undef UNKNOWN
#undef ELSEWHERE
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

const char *const ascend_tables[TABLES] = { "kernel_details", "op_statistic", "api_statistic", "step_trace_time", "operator_memory", "memory_record" };

static const struct column *next_column(const struct column *c, enum ascend_table table, int level)
{
	for (c = c ? c + 1 : columns; c < columns + COLUMNS; c++)
		if (c->table == table && c->level <= level)
			return c;
	return NULL;
}

void tables_head(struct out *o, enum ascend_table table, int level)
{
	for (const struct column *c = NULL, *before = NULL; (c = next_column(c, table, level)); before = c) {
		if (before)
			out_char(o, ',');
		out_csv(o, c->title);
	}
	out_char(o, '\n');
}

void tables_line(struct out *o, const struct ascend *a, enum ascend_table table, const struct ascend_row *row)
{
	for (const struct column *c = NULL, *before = NULL; (c = next_column(c, table, a->level)); before = c) {
		if (before)
			out_char(o, ',');
		c->put(o, a, row);
	}
	out_char(o, '\n');
}
