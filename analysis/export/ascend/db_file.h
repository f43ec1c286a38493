/*
 * db_file.h - a database of SQLite among the files of an export, written at one go. What fails first is said on stderr, and fails the export;
 * what comes behind that does nothing.
 */
#pragma once
#include <sqlite3.h>
#include <stdbool.h>

struct destination;

struct db_file {
	struct destination *to;
	const char *path; /* as long as it is written */
	sqlite3 *sqlite;
	bool failed;
};

void db_file_open(struct db_file *f, struct destination *to, const char *name);
void db_file_run(struct db_file *f, const char *sql);

/* NULL: it has failed. */
sqlite3_stmt *db_file_prepare(struct db_file *f, const char *sql);

/* Carries out an insertion, which then may be done again. */
void db_file_insert(struct db_file *f, sqlite3_stmt *insertion);

/* SQLite has just told of an error. */
void db_file_fail(struct db_file *f);

/* All of its statements are finalized. */
void db_file_close(struct db_file *f);
