#ifdef HAVE_SQLITE
#include "analysis/export/ascend/db_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "analysis/export/destination.h"
#include "analysis/export/limits.h"

#define PAGE_SIZE 16384
#define CACHE	  8192 /* KiB */

/* It says no more than "full", be it the disk or the file, whose last pages are in the cache and beside it. */
static int error_of_full(const struct db_file *f)
{
	struct stat st;

	return !stat(f->path, &st) && (uint64_t)st.st_size >= LIMIT_DATABASE / 16 * 15 ? 0 : ENOSPC;
}

/* 0: none. */
static int error_of_system(const struct db_file *f)
{
	int error = 0;

	sqlite3_file_control(f->sqlite, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
	return error ? error : sqlite3_system_errno(f->sqlite);
}

void db_file_fail(struct db_file *f)
{
	f->failed = true;
	if (sqlite3_errcode(f->sqlite) == SQLITE_FULL) {
		destination_path_failed(f->to, f->path, error_of_full(f));
	} else if (error_of_system(f)) {
		destination_path_failed(f->to, f->path, error_of_system(f));
	} else {
		fprintf(stderr, "ranktrace: %s: SQLite: %s\n", f->path, sqlite3_errmsg(f->sqlite));
		destination_fail(f->to);
	}
}

void db_file_open(struct db_file *f, struct destination *to, const char *name)
{
	char settings[256];

	*f = (struct db_file){ .to = to };
	destination_limit(to, LIMIT_DATABASE);
	f->path = destination_path(to, name);
	f->failed = !f->path;
	if (!f->failed && sqlite3_open(f->path, &f->sqlite))
		db_file_fail(f);
	snprintf(settings, sizeof(settings),
		 "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-%d; PRAGMA page_size=%d;"
		 "PRAGMA max_page_count=%llu; BEGIN",
		 CACHE, PAGE_SIZE, LIMIT_DATABASE / PAGE_SIZE);
	db_file_run(f, settings);
}

void db_file_run(struct db_file *f, const char *sql)
{
	if (!f->failed && sqlite3_exec(f->sqlite, sql, NULL, NULL, NULL))
		db_file_fail(f);
}

sqlite3_stmt *db_file_prepare(struct db_file *f, const char *sql)
{
	sqlite3_stmt *statement = NULL;

	if (!f->failed && sqlite3_prepare_v2(f->sqlite, sql, -1, &statement, NULL))
		db_file_fail(f);
	return statement;
}

void db_file_insert(struct db_file *f, sqlite3_stmt *insertion)
{
	if (!f->failed && sqlite3_step(insertion) != SQLITE_DONE)
		db_file_fail(f);
	sqlite3_reset(insertion);
}

void db_file_close(struct db_file *f)
{
	db_file_run(f, "COMMIT");
	sqlite3_close(f->sqlite);
}
#endif
