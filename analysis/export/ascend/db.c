/* db.c - ascend-db: a folder with two databases of SQLite for each window of a rank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/ascend/ascend.h"
#include "analysis/export/ascend/communication.h"
#include "analysis/export/ascend/db_feed.h"
#include "analysis/export/ascend/db_fixed.h"
#include "analysis/export/ascend/info.h"
#include "analysis/export/ascend/strings.h"
#include "analysis/export/ascend/words.h"
#include "analysis/util/alloc.h"

#ifdef HAVE_SQLITE
#include <sqlite3.h>

enum db_table {
#define ROWS_OF(name) DB_##name,
#include "analysis/export/ascend/db_tables.def"
#undef ROWS_OF
	DB_TABLES
};

struct db {
	struct ascend *ascend;
	sqlite3 *profiler, *analysis;
	bool failed;
	struct feed feeds[DB_TABLES];
	const struct db_column *first[DB_TABLES]; /* of its columns */
	struct strings strings;
	struct table shapes; /* int64_t number + 1 of three texts, by address of the shapes */
	struct collective_names names;
	int64_t tasks, bars, markers;
	sqlite3_stmt *collective; /* into the second one */
	struct out *text;	  /* where texts are put together */
};

/* What a row is made of: as much of it as its table's columns want. */
struct db_row {
	const struct ascend_task *task;
	const struct trace_event *call;
	const struct ascend_step *step;
	const struct ascend_memory *memory;
	const struct marker *marker;
	const char *name;
	uint64_t begin, end;
	uint32_t tid;
	int type;
	uint64_t connection; /* of a range; 0: none */
	enum overlap_bar bar;
};

/* ---- values ---- */

static int64_t db_known(uint64_t n, uint64_t unknown)
{
	return n == unknown ? NOTHING : (int64_t)n;
}

static int64_t db_thread(const struct db *d, uint32_t tid)
{
	return (int64_t)(d->ascend->process->pid << 32 | tid);
}

static int64_t db_task_type(struct db *d, const struct ascend_task *task)
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

static int64_t db_text_of_shapes(struct db *d, const struct shapes *shapes, enum ascend_shape_part part)
{
	d->text->used = 0;
	ascend_shapes_text(d->text, shapes, part);
	out_char(d->text, '\0');
	return strings_copy(&d->strings, d->text->buffer);
}

static int64_t db_shapes(struct db *d, const struct launch *operator_, enum ascend_shape_part part)
{
	int64_t *known;

	if (!operator_ || !operator_->shapes)
		return strings_id(&d->strings, "N/A");
	known = table_put(&d->shapes, (uintptr_t)operator_->shapes * 4 + part);
	if (!*known)
		*known = db_text_of_shapes(d, operator_->shapes, part) + 1;
	return *known - 1;
}

static int64_t db_layer(const char *entry_point)
{
	static const int numbers[LAYERS] = {
		[LAYER_ACL] = 20000, [LAYER_MODEL] = 15000, [LAYER_NODE] = 10000, [LAYER_COMMUNICATION] = 5500, [LAYER_RUNTIME] = 5000
	};

	return numbers[words_layer(entry_point)];
}

static int64_t db_collective_type(struct db *d, const char *entry_point)
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
	return c && c->def.count ? (int64_t)c->def.count : NOTHING;
}

static int64_t db_rank_size(const struct collective *c)
{
	return c && c->communicator && c->communicator->def.size ? (int64_t)c->communicator->def.size : NOTHING;
}

static int64_t db_memory_device(const struct db *d, const struct ascend_memory *memory)
{
	if (memory->host)
		return NOTHING;
	return memory->pool ? memory->pool->def.device : d->ascend->device;
}

/* ---- columns ---- */

#define NONE(table, column, type, note) DB(table, column, type, UNKNOWN, note, NOTHING)
#define DB(table, column, type, source, note, value)                                \
	static int64_t get_##table##_##column(struct db *d, const struct db_row *r) \
	{                                                                           \
		(void)d;                                                            \
		(void)r;                                                            \
		return value;                                                       \
	}
#include "analysis/export/ascend/db_columns.def"
#undef DB

static const struct db_column {
	enum db_table table;
	const char *name, *type;
	int64_t (*get)(struct db *d, const struct db_row *r);
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

static void put_row(struct db *d, enum db_table table, const struct db_row *row)
{
	const struct db_column *column = d->first[table];
	struct feed *f = &d->feeds[table];
	int64_t *values = d->failed ? NULL : feed_row(f);

	d->failed |= !values;
	for (size_t i = 0; values && i < f->columns; i++)
		values[i] = column[i].get(d, row);
}

/* ---- the databases ---- */

static void run(struct db *d, sqlite3 *db, const char *sql)
{
	if (!d->failed && sqlite3_exec(db, sql, NULL, NULL, NULL))
		d->failed = true;
}

static sqlite3 *open_database(struct db *d, const char *name)
{
	char *file = alloc_format("%s/ASCEND_PROFILER_OUTPUT/%s", d->ascend->folder, name);
	const char *path = destination_path(d->ascend->export->to, file);
	sqlite3 *db = NULL;

	free(file);
	if (!path || sqlite3_open(path, &db))
		d->failed = true;
	run(d, db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-8192; PRAGMA page_size=16384;"
		   "PRAGMA max_page_count=1310720;" /* 20 GiB: what readers open */
		   "BEGIN");
	return db;
}

static void make_table(struct db *d, enum db_table table)
{
	size_t count;
	const struct db_column *first = columns_of(table, &count);
	char *sql;
	size_t size;
	FILE *f = open_memstream(&sql, &size);

	fprintf(f, "CREATE TABLE %s (", table_names[table]);
	for (size_t i = 0; i < count; i++)
		fprintf(f, "%s%s %s", i ? ", " : "", first[i].name, first[i].type);
	fputs(")", f);
	fclose(f);
	run(d, d->profiler, sql);
	free(sql);
	d->first[table] = first;
	if (!d->failed && feed_begin(&d->feeds[table], d->profiler, table_names[table], count))
		d->failed = true;
}

static void db_open(struct ascend *a)
{
	struct db *d = a->own = alloc_zero(1, sizeof(*d));
	char name[64] = "ascend_pytorch_profiler.db";

	d->ascend = a;
	d->shapes = (struct table){ .item_size = sizeof(int64_t) };
	d->names = COLLECTIVE_NAMES;
	d->text = alloc_zero(1, sizeof(*d->text));
	d->text->fd = -1;
	strings_init(&d->strings);
	if (a->process->has_rank)
		snprintf(name, sizeof(name), "ascend_pytorch_profiler_%lld.db", (long long)a->process->rank);
	d->profiler = open_database(d, name);
	for (enum db_table table = 0; table < DB_TABLES; table++)
		make_table(d, table);
	d->analysis = open_database(d, "analysis.db");
	run(d, d->analysis, db_analysis_tables);
	if (!d->failed)
		sqlite3_prepare_v2(d->analysis, "INSERT INTO CommAnalyzerTime VALUES (?,?,?,?,NULL,NULL,NULL,NULL,?,?)", -1, &d->collective, NULL);
}

/* ---- rows ---- */

static void db_call(struct ascend *a, const struct trace_event *ev)
{
	put_row(a->own, ev->kind == EV_OPERATOR ? DB_PYTORCH_API : DB_CANN_API, &(struct db_row){ .call = ev });
}

#define LONGEST (sizeof(((struct out *)NULL)->buffer) / 2) /* text: more a name of a broken file alone has */

/* As readers decode it: good until the next call. */
static const char *db_text(struct db *d, const char *text)
{
	char *longer = strlen(text) > LONGEST ? alloc_text(text, LONGEST) : NULL;

	d->text->used = 0;
	out_utf8(d->text, longer ? longer : text);
	out_char(d->text, '\0');
	free(longer);
	return d->text->buffer;
}

/* How much of it was waiting for others the device alone knows. */
static void put_collective_time(struct db *d, const struct ascend_task *task, const char *name)
{
	char group[24], step[32] = "step";

	snprintf(group, sizeof(group), "%llu", (unsigned long long)words_group_number(words_group(task->device->collective)));
	if (task->step)
		snprintf(step, sizeof(step), "step%lld", (long long)task->step->step);
	sqlite3_bind_text(d->collective, 1, db_text(d, name), -1, SQLITE_TRANSIENT);
	sqlite3_bind_text(d->collective, 2, group, -1, SQLITE_TRANSIENT);
	sqlite3_bind_double(d->collective, 3, (double)task->device->begin_ns / 1e3);
	sqlite3_bind_double(d->collective, 4, (double)task->device->duration_ns / 1e6);
	sqlite3_bind_text(d->collective, 5, step, -1, SQLITE_TRANSIENT);
	sqlite3_bind_text(d->collective, 6, words_between_two(task->device->name) ? "p2p" : "collective", -1, SQLITE_STATIC);
	d->failed |= sqlite3_step(d->collective) != SQLITE_DONE;
	sqlite3_reset(d->collective);
}

static void put_collective(struct db *d, const struct ascend_task *task)
{
	char name[COLLECTIVE_NAME];

	collective_name(&d->names, task->device, name);
	put_row(d, DB_COMMUNICATION_OP, &(struct db_row){ .task = task, .name = name });
	if (d->collective)
		put_collective_time(d, task, name);
}

static void db_task(struct ascend *a, const struct ascend_task *task)
{
	static const enum db_table tables[ASCEND_WORKS] = {
		[ASCEND_KERNEL] = DB_COMPUTE_TASK_INFO,
		[ASCEND_COPY] = DB_MEMCPY_INFO,
		[ASCEND_COLLECTIVE_TASK] = DB_COMMUNICATION_TASK_INFO,
	};
	struct db *d = a->own;
	struct db_row row = { .task = task };

	if (task->work == ASCEND_COLLECTIVE) {
		put_collective(d, task);
		return;
	}
	d->tasks++;
	put_row(d, DB_TASK, &row);
	if (task->work != ASCEND_RANGE && (task->work != ASCEND_COPY || task->device->kind == EV_COPY))
		put_row(d, tables[task->work], &row);
	if (task->operator_)
		put_row(d, DB_CONNECTION_IDS, &row);
}

static void db_bar(struct ascend *a, enum overlap_bar bar, uint64_t begin, uint64_t end)
{
	struct db *d = a->own;

	d->bars++;
	put_row(d, DB_OVERLAP_ANALYSIS, &(struct db_row){ .bar = bar, .begin = begin, .end = end });
}

static void db_range(struct ascend *a, const struct range *range)
{
	uint64_t end = range->ended ? range->end : a->last_ns > range->begin ? a->last_ns
									     : range->begin;

	put_row(a->own, DB_MSTX_EVENTS,
		&(struct db_row){ .marker = range->marker,
				  .begin = range->begin,
				  .end = end,
				  .tid = range->tid,
				  .type = range->nests ? 1 : 2,
				  .connection = range->stream ? ascend_id(range->ring, range->slot) : 0 });
}

static void db_mark(struct ascend *a, const struct trace_event *ev)
{
	put_row(a->own, DB_MSTX_EVENTS, &(struct db_row){ .marker = ev->definition, .begin = ev->begin_ns, .end = ev->begin_ns, .tid = ev->tid });
}

static void db_memory(struct ascend *a, const struct ascend_memory *memory)
{
	put_row(a->own, DB_OP_MEMORY, &(struct db_row){ .memory = memory });
}

static void db_usage(struct ascend *a, const struct ascend_memory *memory)
{
	put_row(a->own, DB_MEMORY_RECORD, &(struct db_row){ .memory = memory });
}

/* ---- what stands in few rows ---- */

static void insert(struct db *d, sqlite3 *db, const char *sql, const char *text, const char *more, int64_t number, int64_t another)
{
	sqlite3_stmt *s = NULL;

	if (d->failed || sqlite3_prepare_v2(db, sql, -1, &s, NULL)) {
		d->failed = true;
		return;
	}
	sqlite3_bind_text(s, 1, text, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 2, more, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 3, number);
	sqlite3_bind_int64(s, 4, another);
	d->failed |= sqlite3_step(s) != SQLITE_DONE;
	sqlite3_finalize(s);
}

static void put_strings(struct db *d)
{
	sqlite3_stmt *s = NULL;

	if (d->failed || sqlite3_prepare_v2(d->profiler, "INSERT INTO STRING_IDS VALUES (?, ?)", -1, &s, NULL))
		return;
	for (size_t i = 0; i < d->strings.count; i++) {
		sqlite3_bind_int64(s, 1, (int64_t)i);
		sqlite3_bind_text(s, 2, db_text(d, d->strings.list[i]), -1, SQLITE_STATIC);
		d->failed |= sqlite3_step(s) != SQLITE_DONE;
		sqlite3_reset(s);
	}
	sqlite3_finalize(s);
}

static void put_device(struct db *d)
{
	const struct process *p = d->ascend->process;
	const struct device *device = p->defs.devices.count ? table_item(&p->defs.devices, 0) : NULL;
	const char *host = db_text(d, process_fact(p, "host"));

	insert(d, d->profiler, "INSERT INTO HOST_INFO VALUES (?1, ?2)", host, host, 0, 0);
	insert(d, d->profiler, "INSERT INTO NPU_INFO VALUES (?3, ?1)", device && device->name ? db_text(d, device->name) : "N/A", "", d->ascend->device, 0);
	insert(d, d->profiler, "INSERT INTO RANK_DEVICE_MAP VALUES (?3, ?4)", "", "", p->has_rank ? p->rank : -1, device ? (int64_t)d->ascend->device : -1);
	insert(d, d->profiler, "INSERT INTO SESSION_TIME_INFO VALUES (?3, ?4)", "", "", (int64_t)d->ascend->first_ns, (int64_t)d->ascend->last_ns);
}

static void put_meta(struct db *d)
{
	d->text->used = 0;
	d->text->error = 0;
	info_groups(d->text, d->ascend->process);
	if (d->text->error || d->text->used == sizeof(d->text->buffer))
		return; /* too many groups to be told */
	d->text->buffer[d->text->used] = '\0';
	insert(d, d->profiler, "INSERT INTO META_DATA VALUES ('parallel_group_info', ?1)", d->text->buffer, "", 0, 0);
}

static void put_step(struct db *d, const struct ascend_step *s)
{
	char sql[1024];

	put_row(d, DB_STEP_TIME, &(struct db_row){ .step = s });
	if (!d->ascend->device_times)
		return;
	snprintf(sql, sizeof(sql), "INSERT INTO StepTraceTime VALUES (%u, '%lld', %.3f, %.3f, %.3f, %.3f, %.3f, %.3f, %.3f, %.3f, %.3f)",
		 d->ascend->device, (long long)s->step, (double)s->bars[BAR_COMPUTING] / 1e3, (double)s->bars[BAR_NOT_OVERLAPPED] / 1e3,
		 (double)(s->bars[BAR_COMMUNICATION] - s->bars[BAR_NOT_OVERLAPPED]) / 1e3, (double)s->bars[BAR_COMMUNICATION] / 1e3,
		 (double)s->bars[BAR_FREE] / 1e3, (double)ascend_step_stage(s) / 1e3, (double)s->receiving / 1e3,
		 (double)ascend_step_not_receiving(s) / 1e3, (double)ascend_step_preparing(s) / 1e3);
	run(d, d->analysis, sql);
}

/* compare takes the largest total for a number: where none is known the table must not be there. */
static void drop_memory(struct db *d)
{
	sqlite3_stmt *s = NULL;
	bool known = !d->failed && !sqlite3_prepare_v2(d->profiler, "SELECT 1 FROM MEMORY_RECORD WHERE totalReserved NOT NULL LIMIT 1", -1, &s, NULL) &&
		     sqlite3_step(s) == SQLITE_ROW;

	sqlite3_finalize(s);
	if (!known)
		run(d, d->profiler, "DROP TABLE MEMORY_RECORD");
}

static void end_database(struct db *d, sqlite3 *db)
{
	run(d, db, "COMMIT");
	if (d->failed)
		fprintf(stderr, "ranktrace: SQLite: %s%s\n", db ? sqlite3_errmsg(db) : "no database",
			db && sqlite3_errcode(db) == SQLITE_FULL ? "; 20 GiB are all that readers take: export fewer steps at a time with --steps" : "");
	sqlite3_close(db);
}

static void db_close(struct ascend *a)
{
	struct db *d = a->own;

	for (size_t i = 0; i < a->steps.count; i++)
		if (a->steps.list[i].seen)
			put_step(d, &a->steps.list[i]);
	for (enum db_table table = 0; table < DB_TABLES; table++) {
		d->failed |= !d->failed && feed_flush(&d->feeds[table]);
		feed_end(&d->feeds[table]);
	}
	drop_memory(d);
	run(d, d->profiler, db_fixed_tables);
	run(d, d->profiler, db_ranges_without_tasks);
	put_strings(d);
	put_device(d);
	put_meta(d);
	sqlite3_finalize(d->collective);
	end_database(d, d->profiler);
	end_database(d, d->analysis);
	if (d->failed)
		destination_fail(a->export->to);
	info_put(a);
	strings_free(&d->strings);
	table_free(&d->shapes);
	table_free(&d->names.counts);
	free(d->text);
	free(d);
}

static const struct ascend_format format = {
	.kind = "db",
	.open = db_open,
	.call = db_call,
	.task = db_task,
	.bar = db_bar,
	.range = db_range,
	.mark = db_mark,
	.memory = db_memory,
	.usage = db_usage,
	.close = db_close,
};

static void begin(struct export *e)
{
	ascend_begin(e, &format);
}

const struct exporter ascend_db_exporter = {
	ASCEND_EXPORTER,
	.begin = begin,
};
#else
const struct exporter ascend_db_exporter = {
	.missing = "built without SQLite, which --to ascend-db needs: install libsqlite3-dev (scripts/dev/install-deps build) and build again",
};
#endif
