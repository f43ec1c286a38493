#ifdef HAVE_SQLITE
#include "analysis/export/ascend/db_feed.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/util/alloc.h"

#define ROWS 4096

/* ---- the virtual table: one cursor reads it at a time ---- */

static struct feed *feed_of(sqlite3_vtab_cursor *cursor)
{
	return (struct feed *)cursor->pVtab;
}

static int connect_table(sqlite3 *db, void *feed, int argc, const char *const *argv, sqlite3_vtab **table, char **why)
{
	struct feed *f = feed;
	char columns[1024] = "CREATE TABLE x(", *p = columns;

	(void)argc;
	(void)argv;
	(void)why;
	p += 15;
	for (size_t i = 0; i < f->columns; i++)
		p += sprintf(p, i ? ",c%zu" : "c%zu", i);
	sprintf(p, ")");
	*table = &f->table;
	return sqlite3_declare_vtab(db, columns);
}

static int disconnect_table(sqlite3_vtab *table)
{
	(void)table;
	return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table;
	info->estimatedCost = ROWS;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	*cursor = &((struct feed *)table)->cursor;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	(void)cursor;
	return SQLITE_OK;
}

static int filter_rows(sqlite3_vtab_cursor *cursor, int index, const char *text, int argc, sqlite3_value **argv)
{
	(void)index;
	(void)text;
	(void)argc;
	(void)argv;
	feed_of(cursor)->read = 0;
	return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *cursor)
{
	feed_of(cursor)->read++;
	return SQLITE_OK;
}

static int no_more_rows(sqlite3_vtab_cursor *cursor)
{
	const struct feed *f = feed_of(cursor);

	return f->read >= f->count;
}

static int give_column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int column)
{
	const struct feed *f = feed_of(cursor);
	int64_t value = f->rows[f->read * f->columns + (size_t)column];

	if (value != NOTHING)
		sqlite3_result_int64(to, value);
	return SQLITE_OK;
}

static int give_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	*id = (sqlite3_int64)feed_of(cursor)->read;
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xCreate = NULL, /* it is there by its name alone */
	.xConnect = connect_table,
	.xBestIndex = best_index,
	.xDisconnect = disconnect_table,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = filter_rows,
	.xNext = next_row,
	.xEof = no_more_rows,
	.xColumn = give_column,
	.xRowid = give_rowid,
};

/* ---- rows ---- */

void feed_begin(struct feed *f, struct db_file *file, const char *table, size_t columns)
{
	char name[80], insertion[256];

	*f = (struct feed){ .file = file, .columns = columns, .rows = alloc_grow(NULL, ROWS * columns, sizeof(int64_t)) };
	snprintf(name, sizeof(name), "feed_%s", table);
	snprintf(insertion, sizeof(insertion), "INSERT OR REPLACE INTO %s SELECT * FROM %s", table, name);
	if (!file->failed && sqlite3_create_module(file->sqlite, name, &module, f))
		db_file_fail(file);
	f->insertion = db_file_prepare(file, insertion);
}

static void flush(struct feed *f)
{
	db_file_insert(f->file, f->insertion);
	f->count = 0;
}

int64_t *feed_row(struct feed *f)
{
	if (f->count == ROWS)
		flush(f);
	return f->file->failed ? NULL : &f->rows[f->count++ * f->columns];
}

void feed_end(struct feed *f)
{
	flush(f);
	sqlite3_finalize(f->insertion);
	free(f->rows);
}
#endif
