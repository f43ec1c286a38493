/*
 * sums_files.h - what sums are kept of: trace files as they were when they were read. report.sums begins with SUMS_BEGIN; then come
 * records: a struct sums_record_head, the files of a process (sums_files_parcel()), and its report (report_parcel.h).
 */
#pragma once
#include "analysis/report/sums.h"
#include "analysis/trace/trace.h"
#include "analysis/util/parcel.h"

#define SUMS_BEGIN	"ranktrace sums 1 " RANKTRACE_VERSION "\n"
#define SUMS_RECORD_MAX (64u << 20) /* bytes: of a process with all its names */
#define SUMS_NOBODY	SIZE_MAX

struct sums_run {
	char *folder;
	bool news; /* to be written */
};

/* A file as it was: when it was read, or now that it may be. */
struct sums_file {
	char *path; /* whole */
	uint64_t size, changed, inode;
	struct known_file known;
	size_t record, run; /* record: SUMS_NOBODY: to be read */
};

struct sums_record {
	size_t first, count; /* of s->files */
	size_t run;
	bool taken;
	struct report report;
};

struct sums_record_head {
	uint32_t size, crc; /* of the bytes behind it */
};

/* What the file of this path is like now. False: there is none. */
bool sums_file_look(struct sums_file *f);

/* All are still as they were; there is one at least. */
bool sums_files_are_as_they_were(const struct sums_file *files, size_t count);

/* By path; NULL: it is not known. */
struct sums_file *sums_file_find(const struct sums *s, const char *path);

/* The path is s's then. */
void sums_file_add(struct sums *s, const struct sums_file *f);

/* Names of files are told from the run's folder on. */
void sums_files_parcel(struct parcel *p, const char *folder, struct sums_file **files, size_t *count);
