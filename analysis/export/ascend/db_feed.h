/*
 * db_feed.h - rows of numbers on their way into a table of SQLite: gathered, then inserted together from a virtual table, which is
 * three times as fast as one by one.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define NOTHING INT64_MIN /* NULL in the database */

struct sqlite3;

struct feed {
	struct sqlite3 *db;
	const char *table;
	size_t columns, count, read; /* rows that wait, and the one that is read */
	int64_t *rows;
	void *insert; /* a statement */
};

/* 0, or -1: it cannot be made. The table is there. */
int feed_begin(struct feed *f, struct sqlite3 *db, const char *table, size_t columns);

/* Where the next row belongs. NULL: the database took no more. */
int64_t *feed_row(struct feed *f);

/* Inserts what waits. -1: not all of it could be. */
int feed_flush(struct feed *f);
void feed_end(struct feed *f);
