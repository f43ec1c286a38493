#ifdef HAVE_SQLITE
#include "analysis/export/ascend/db_feed.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/util/alloc.h"

#define ROWS 4096

/* ---- the virtual table ---- */

struct feed_table {
	sqlite3_vtab base;
	struct feed *feed;
};

struct feed_cursor {
	sqlite3_vtab_cursor base;
	struct feed *feed;
};

static int connect_table(sqlite3 *db, void *feed, int argc, const char *const *argv, sqlite3_vtab **table, char **why)
{
	const struct feed *f = feed;
	char columns[1024] = "CREATE TABLE x(", *p = columns;
	struct feed_table *made;
	int rc;

	(void)argc;
	(void)argv;
	(void)why;
	p += 15;
	for (size_t i = 0; i < f->columns; i++)
		p += sprintf(p, i ? ",c%zu" : "c%zu", i);
	sprintf(p, ")");
	rc = sqlite3_declare_vtab(db, columns);
	if (rc)
		return rc;
	made = sqlite3_malloc(sizeof(*made));
	if (!made)
		return SQLITE_NOMEM;
	*made = (struct feed_table){ .feed = feed };
	*table = &made->base;
	return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *table)
{
	sqlite3_free(table);
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
	struct feed_cursor *made = sqlite3_malloc(sizeof(*made));

	if (!made)
		return SQLITE_NOMEM;
	*made = (struct feed_cursor){ .feed = ((struct feed_table *)table)->feed };
	*cursor = &made->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	sqlite3_free(cursor);
	return SQLITE_OK;
}

static int filter_rows(sqlite3_vtab_cursor *cursor, int index, const char *text, int argc, sqlite3_value **argv)
{
	(void)index;
	(void)text;
	(void)argc;
	(void)argv;
	((struct feed_cursor *)cursor)->feed->read = 0;
	return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *cursor)
{
	((struct feed_cursor *)cursor)->feed->read++;
	return SQLITE_OK;
}

static int no_more_rows(sqlite3_vtab_cursor *cursor)
{
	const struct feed *f = ((struct feed_cursor *)cursor)->feed;

	return f->read >= f->count;
}

static int give_column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int column)
{
	const struct feed *f = ((struct feed_cursor *)cursor)->feed;
	int64_t value = f->rows[f->read * f->columns + (size_t)column];

	if (value != NOTHING)
		sqlite3_result_int64(to, value);
	return SQLITE_OK;
}

static int give_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	*id = (sqlite3_int64)((struct feed_cursor *)cursor)->feed->read;
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

int feed_begin(struct feed *f, sqlite3 *db, const char *table, size_t columns)
{
	char name[80], insert[256];

	*f = (struct feed){ .db = db, .table = table, .columns = columns, .rows = alloc_grow(NULL, ROWS * columns, sizeof(int64_t)) };
	snprintf(name, sizeof(name), "feed_%s", table);
	snprintf(insert, sizeof(insert), "INSERT OR REPLACE INTO %s SELECT * FROM %s", table, name);
	if (sqlite3_create_module(db, name, &module, f) || sqlite3_prepare_v2(db, insert, -1, (sqlite3_stmt **)&f->insert, NULL))
		return -1;
	return 0;
}

int feed_flush(struct feed *f)
{
	int rc = SQLITE_DONE;

	if (f->count)
		rc = sqlite3_step(f->insert);
	sqlite3_reset(f->insert);
	f->count = 0;
	return rc == SQLITE_DONE ? 0 : -1;
}

int64_t *feed_row(struct feed *f)
{
	if (f->count == ROWS && feed_flush(f))
		return NULL;
	return &f->rows[f->count++ * f->columns];
}

void feed_end(struct feed *f)
{
	sqlite3_finalize(f->insert);
	free(f->rows);
}
#endif
