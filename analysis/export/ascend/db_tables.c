#ifdef HAVE_SQLITE
#include "analysis/export/ascend/db_tables.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/export/ascend/words.h"
#include "analysis/trace/call_stack.h"

/* ---- values ---- */

static int64_t db_known(uint64_t n, uint64_t unknown)
{
	return n == unknown ? NOTHING : (int64_t)n;
}

static int64_t db_thread(const struct db_tables *d, uint32_t tid)
{
	return (int64_t)(d->ascend->process->pid << 32 | tid);
}

static int64_t db_task_type(struct db_tables *d, const struct ascend_task *task)
{
	if (task->device->kind == EV_COPY)
		return strings_id(&d->strings, "MEMCPY_ASYNC");
	return strings_id(&d->strings, task->device->kind == EV_FILL ? "MEMSET" : "N/A");
}

static int64_t db_blocks(const struct launch *launch)
{
	uint64_t blocks;

	return ascend_blocks(launch, &blocks) ? (int64_t)blocks : NOTHING;
}

static int64_t db_text_of_shapes(struct db_tables *d, const struct shapes *shapes, enum ascend_shape_part part)
{
	d->text.used = 0;
	ascend_shapes_text(&d->text, shapes, part);
	out_char(&d->text, '\0');
	return strings_copy(&d->strings, d->text.buffer);
}

static int64_t db_shapes(struct db_tables *d, const struct launch *operator_, enum ascend_shape_part part)
{
	int64_t *known;

	if (!operator_ || !operator_->shapes)
		return strings_id(&d->strings, "N/A");
	known = table_put(&d->shapes, (uintptr_t)operator_->shapes * 4 + part);
	if (!*known)
		*known = db_text_of_shapes(d, operator_->shapes, part) + 1;
	return *known - 1;
}

static void put_chain(struct db_tables *d, const struct trace_event *call, int64_t chain)
{
	struct call_frame frames[CALL_STACK_MAX];
	char text[CALL_FRAME_ROOM];
	size_t n = call_stack(call, frames);

	for (size_t i = 0; i < n; i++) {
		call_frame_text(text, &frames[i]);
		db_tables_put(d, DB_PYTORCH_CALLCHAINS, &(struct db_row){ .name = text, .type = (int)i, .chain = chain });
	}
}

static int64_t db_callchain(struct db_tables *d, const struct trace_event *call)
{
	const uint64_t stacks[] = { (uintptr_t)call->stack, (uintptr_t)call->native };
	int64_t *known;

	if (!call->stack && !call->native)
		return NOTHING;
	known = table_put(&d->chains, table_text_key((const char *)stacks, sizeof(stacks)));
	if (!*known) {
		*known = (int64_t)d->chains.count;
		put_chain(d, call, *known - 1);
	}
	return *known - 1;
}

static int64_t db_layer(const char *entry_point)
{
	static const int numbers[LAYERS] = {
		[LAYER_ACL] = 20000, [LAYER_MODEL] = 15000, [LAYER_NODE] = 10000, [LAYER_COMMUNICATION] = 5500, [LAYER_RUNTIME] = 5000
	};

	return numbers[words_layer(entry_point)];
}

static int64_t db_collective_type(struct db_tables *d, const char *entry_point)
{
	char kind[64];

	words_collective(kind, sizeof(kind), entry_point);
	return strings_copy(&d->strings, kind);
}

/* As ENUM_HCCL_DATA_TYPE has them. */
static int64_t db_data_type(const struct collective *c)
{
	static const int numbers[DATA_COUNT] = {
		[DATA_INT8] = 1,
		[DATA_INT16] = 2,
		[DATA_INT32] = 3,
		[DATA_FP16] = 4,
		[DATA_FP32] = 5,
		[DATA_INT64] = 6,
		[DATA_UINT64] = 7,
		[DATA_UINT8] = 8,
		[DATA_UINT16] = 9,
		[DATA_UINT32] = 10,
		[DATA_FP64] = 11,
		[DATA_BF16] = 12,
		[DATA_INT128] = 13,
	};

	return c && c->def.type < DATA_COUNT && numbers[c->def.type] ? numbers[c->def.type] - 1 : 65534;
}

static int64_t db_count(const struct collective *c)
{
	return db_known(c ? c->def.count : 0, 0);
}

static int64_t db_rank_size(const struct collective *c)
{
	return db_known(c && c->communicator ? c->communicator->def.size : 0, 0);
}

static int64_t db_memory_device(const struct db_tables *d, const struct ascend_memory *memory)
{
	if (memory->host)
		return NOTHING;
	return memory->pool ? memory->pool->def.device : d->ascend->device;
}

/* ---- columns ---- */

#define NONE(table, column, type, note) DB(table, column, type, UNKNOWN, note, NOTHING)
#define DB(table, column, type, source, note, value)                                       \
	static int64_t get_##table##_##column(struct db_tables *d, const struct db_row *r) \
	{                                                                                  \
		(void)d;                                                                   \
		(void)r;                                                                   \
		return value;                                                              \
	}
#include "analysis/export/ascend/db_columns.def"
#undef DB

static const struct db_column {
	enum db_table table;
	const char *name, *type;
	int64_t (*get)(struct db_tables *d, const struct db_row *r);
} columns[] = {
#define DB(table, column, type, source, note, value) { DB_##table, #column, #type, get_##table##_##column },
#include "analysis/export/ascend/db_columns.def"
#undef DB
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static const char *const table_names[DB_TABLES] = {
#define ROWS_OF(name) #name,
#include "analysis/export/ascend/db_tables.def"
#undef ROWS_OF
};

/* The columns of a table stand side by side. */
static const struct db_column *columns_of(enum db_table table, size_t *count)
{
	const struct db_column *first = columns;

	while (first->table != table)
		first++;
	for (*count = 0; first + *count < columns + COLUMNS && first[*count].table == table;)
		++*count;
	return first;
}

/* ---- rows ---- */

static void make_table(struct db_tables *d, enum db_table table, struct db_file *file)
{
	size_t count;
	const struct db_column *first = d->first[table] = columns_of(table, &count);
	char *sql;
	size_t size;
	FILE *f = open_memstream(&sql, &size);

	fprintf(f, "CREATE TABLE %s (", table_names[table]);
	for (size_t i = 0; i < count; i++)
		fprintf(f, "%s%s %s", i ? ", " : "", first[i].name, first[i].type);
	fputs(")", f);
	fclose(f);
	db_file_run(file, sql);
	free(sql);
	feed_begin(&d->feeds[table], file, table_names[table], count);
}

void db_tables_begin(struct db_tables *d, const struct ascend *a, struct db_file *file)
{
	d->ascend = a;
	d->shapes = TABLE(int64_t);
	d->chains = TABLE(int64_t);
	d->text.fd = -1;
	strings_init(&d->strings);
	for (enum db_table table = 0; table < DB_TABLES; table++)
		make_table(d, table, file);
}

void db_tables_put(struct db_tables *d, enum db_table table, const struct db_row *row)
{
	const struct db_column *column = d->first[table];
	struct feed *f = &d->feeds[table];
	int64_t *values = feed_row(f);

	for (size_t i = 0; values && i < f->columns; i++)
		values[i] = column[i].get(d, row);
}

void db_tables_end(struct db_tables *d)
{
	for (enum db_table table = 0; table < DB_TABLES; table++)
		feed_end(&d->feeds[table]);
}

void db_tables_free(struct db_tables *d)
{
	strings_free(&d->strings);
	table_free(&d->shapes);
	table_free(&d->chains);
}
#endif
