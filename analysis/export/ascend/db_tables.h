/* db_tables.h - rows of the tables of ascend-db, by the lists in db_tables.def and db_columns.def. */
#pragma once
#include "analysis/export/ascend/ascend.h"
#include "analysis/export/ascend/db_feed.h"
#include "analysis/export/ascend/strings.h"
#include "analysis/util/out.h"

enum db_table {
#define ROWS_OF(name) DB_##name,
#include "analysis/export/ascend/db_tables.def"
#undef ROWS_OF
	DB_TABLES
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
	int64_t chain;	     /* that a frame is of */
	enum overlap_bar bar;
};

struct db_tables {
	const struct ascend *ascend;
	struct feed feeds[DB_TABLES];
	const struct db_column *first[DB_TABLES]; /* of its columns */
	struct strings strings;
	struct table shapes;	      /* int64_t number + 1 of three texts, by address of the shapes */
	struct table chains;	      /* int64_t number + 1 of a call's stacks, by where they stand */
	int64_t tasks, bars, markers; /* so far */
	struct out text;	      /* where texts are put together */
};

/* Makes them in a database. */
void db_tables_begin(struct db_tables *d, const struct ascend *a, struct db_file *file);
void db_tables_put(struct db_tables *d, enum db_table table, const struct db_row *row);

/* No more rows come. */
void db_tables_end(struct db_tables *d);

/* Behind that; what the texts are is known until then. */
void db_tables_free(struct db_tables *d);
