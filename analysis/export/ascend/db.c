/* db.c - ascend-db: a folder with two databases of SQLite for each window of a rank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/ascend/ascend.h"
#include "analysis/export/ascend/communication.h"
#include "analysis/export/ascend/info.h"
#include "analysis/export/ascend/words.h"
#include "analysis/util/alloc.h"

#ifdef HAVE_SQLITE
#include "analysis/export/ascend/db_fixed.h"
#include "analysis/export/ascend/db_tables.h"

struct db {
	struct ascend *ascend;
	struct db_file profiler, analysis;
	struct db_tables tables; /* of the first one */
	struct collective_names names;
	sqlite3_stmt *collective; /* into the second one */
};

static void open_file(struct db_file *f, struct ascend *a, const char *name)
{
	char *path = alloc_format("%s/ASCEND_PROFILER_OUTPUT/%s", a->folder.name, name);

	db_file_open(f, a->export->to, path);
	free(path);
}

static void db_open(struct ascend *a)
{
	struct db *d = a->own = alloc_zero(1, sizeof(*d));
	char name[64] = "ascend_pytorch_profiler.db";

	d->ascend = a;
	d->names = COLLECTIVE_NAMES;
	if (a->process->has_rank)
		snprintf(name, sizeof(name), "ascend_pytorch_profiler_%lld.db", (long long)a->process->rank);
	open_file(&d->profiler, a, name);
	db_tables_begin(&d->tables, a, &d->profiler);
	open_file(&d->analysis, a, "analysis.db");
	db_file_run(&d->analysis, db_analysis_tables);
	d->collective = db_file_prepare(&d->analysis, "INSERT INTO CommAnalyzerTime VALUES (?,?,?,?,NULL,NULL,NULL,NULL,?,?)");
}

static void put_row(struct db *d, enum db_table table, const struct db_row *row)
{
	db_tables_put(&d->tables, table, row);
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

	d->tables.text.used = 0;
	out_utf8(&d->tables.text, longer ? longer : text);
	out_char(&d->tables.text, '\0');
	free(longer);
	return d->tables.text.buffer;
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
	db_file_insert(&d->analysis, d->collective);
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
	d->tables.tasks++;
	put_row(d, DB_TASK, &row);
	if (task->work != ASCEND_RANGE && (task->work != ASCEND_COPY || task->device->kind == EV_COPY))
		put_row(d, tables[task->work], &row);
	if (task->operator_)
		put_row(d, DB_CONNECTION_IDS, &row);
}

static void db_bar(struct ascend *a, enum overlap_bar bar, uint64_t begin, uint64_t end)
{
	struct db *d = a->own;

	d->tables.bars++;
	put_row(d, DB_OVERLAP_ANALYSIS, &(struct db_row){ .bar = bar, .begin = begin, .end = end });
}

static void db_range(struct ascend *a, const struct range *range)
{
	put_row(a->own, DB_MSTX_EVENTS,
		&(struct db_row){ .marker = range->marker,
				  .begin = range->begin,
				  .end = range_end(range, a->last_ns),
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

/* ?1, ?2, ?3, ?4 */
static void insert(struct db *d, const char *sql, const char *text, const char *more, int64_t number, int64_t another)
{
	sqlite3_stmt *s = db_file_prepare(&d->profiler, sql);

	if (!s)
		return;
	sqlite3_bind_text(s, 1, text, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 2, more, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 3, number);
	sqlite3_bind_int64(s, 4, another);
	db_file_insert(&d->profiler, s);
	sqlite3_finalize(s);
}

static void put_strings(struct db *d)
{
	sqlite3_stmt *s = db_file_prepare(&d->profiler, "INSERT INTO STRING_IDS VALUES (?, ?)");

	for (size_t i = 0; s && i < d->tables.strings.count; i++) {
		sqlite3_bind_int64(s, 1, (int64_t)i);
		sqlite3_bind_text(s, 2, db_text(d, d->tables.strings.list[i]), -1, SQLITE_STATIC);
		db_file_insert(&d->profiler, s);
	}
	sqlite3_finalize(s);
}

static const char rank_of_device[] = "INSERT INTO RANK_DEVICE_MAP VALUES (?3, ?4)";

/* False: its devices are no ranks of their own. */
static bool put_device_ranks(struct db *d)
{
	const struct table *devices = &d->ascend->process->defs.devices;
	bool any = false;

	for (size_t i = 0; i < devices->count; i++) {
		const struct device *device = table_item(devices, i);

		if (!device->has_rank)
			continue;
		any = true;
		insert(d, rank_of_device, "", "", device->rank.rank, ascend_device_number(d->ascend->process, devices->keys[i]));
	}
	return any;
}

static void put_device(struct db *d)
{
	const struct process *p = d->ascend->process;
	const struct device *device = p->defs.devices.count ? table_item(&p->defs.devices, 0) : NULL;
	const char *host = db_text(d, process_fact(p, "host"));

	insert(d, "INSERT INTO HOST_INFO VALUES (?1, ?2)", host, host, 0, 0);
	insert(d, "INSERT INTO NPU_INFO VALUES (?3, ?1)", device && device->name ? db_text(d, device->name) : "N/A", "", d->ascend->device, 0);
	if (!put_device_ranks(d))
		insert(d, rank_of_device, "", "", p->has_rank ? p->rank : -1, device ? (int64_t)d->ascend->device : -1);
	insert(d, "INSERT INTO SESSION_TIME_INFO VALUES (?3, ?4)", "", "", (int64_t)d->ascend->first_ns, (int64_t)d->ascend->last_ns);
}

static void put_meta(struct db *d)
{
	d->tables.text.used = 0;
	d->tables.text.error = 0;
	info_groups(&d->tables.text, d->ascend->process);
	if (d->tables.text.error || d->tables.text.used == sizeof(d->tables.text.buffer))
		return; /* too many groups to be told */
	d->tables.text.buffer[d->tables.text.used] = '\0';
	insert(d, "INSERT INTO META_DATA VALUES ('parallel_group_info', ?1)", d->tables.text.buffer, "", 0, 0);
}

static void put_step(struct db *d, const struct ascend_step *s)
{
	char sql[1024];

	put_row(d, DB_STEP_TIME, &(struct db_row){ .step = s });
	if (!ascend_has_times(d->ascend, s))
		return;
	snprintf(sql, sizeof(sql), "INSERT INTO StepTraceTime VALUES (%u, '%lld', %.3f, %.3f, %.3f, %.3f, %.3f, %.3f, %.3f, %.3f, %.3f)",
		 d->ascend->device, (long long)s->step, (double)s->bars[BAR_COMPUTING] / 1e3, (double)s->bars[BAR_NOT_OVERLAPPED] / 1e3,
		 (double)(s->bars[BAR_COMMUNICATION] - s->bars[BAR_NOT_OVERLAPPED]) / 1e3, (double)s->bars[BAR_COMMUNICATION] / 1e3,
		 (double)s->bars[BAR_FREE] / 1e3, (double)ascend_step_stage(s) / 1e3, (double)s->receiving / 1e3,
		 (double)ascend_step_not_receiving(s) / 1e3, (double)ascend_step_preparing(s) / 1e3);
	db_file_run(&d->analysis, sql);
}

/* compare takes the largest total for a number: where none is known the table must not be there. */
static void drop_memory(struct db *d)
{
	sqlite3_stmt *s = db_file_prepare(&d->profiler, "SELECT 1 FROM MEMORY_RECORD WHERE totalReserved NOT NULL LIMIT 1");
	bool known = s && sqlite3_step(s) == SQLITE_ROW;

	sqlite3_finalize(s);
	if (!known)
		db_file_run(&d->profiler, "DROP TABLE MEMORY_RECORD");
}

static void db_close(struct ascend *a)
{
	struct db *d = a->own;

	for (size_t i = 0; i < a->steps.count; i++)
		if (a->steps.list[i].seen)
			put_step(d, &a->steps.list[i]);
	db_tables_end(&d->tables);
	drop_memory(d);
	db_file_run(&d->profiler, db_fixed_tables);
	db_file_run(&d->profiler, db_ranges_without_tasks);
	put_strings(d);
	put_device(d);
	put_meta(d);
	sqlite3_finalize(d->collective);
	db_file_close(&d->profiler);
	db_file_close(&d->analysis);
	info_put(a);
	db_tables_free(&d->tables);
	table_free(&d->names.counts);
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
