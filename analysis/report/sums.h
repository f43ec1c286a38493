/*
 * sums.h - what earlier reports of a run have read: report.sums in its folder has the reports of processes whose files will not change
 * any more, each with what its files were like then. Such a process is not read again, nor are its files opened.
 */
#pragma once
#include "analysis/report/report.h"

struct sums {
	const struct choice *choice;
	size_t run_count, record_count, record_room, file_count, file_room;
	struct sums_run *runs;
	struct sums_record *records;
	struct sums_file *files;
	const char *nowhere;  /* while files are found: one that has no run, as have none beside it */
	struct table by_path; /* uint32_t: which file, + 1, by its path as a number */
};

/* For trace_open_knowing(): of processes that the choice wants whole. */
struct known_files sums_known(struct sums *s, const struct choice *choice);

/* The report of a process that is known becomes r's. */
void sums_take(struct sums *s, const struct process *p, struct report *r);

/*
 * Where there are settled ones that are new, by number of the trace's processes, they are kept with all others, in folders that may be
 * written to. reports: as report_read_files() filled them.
 */
void sums_keep(struct sums *s, const struct trace *t, struct report *reports, const bool *settled);
void sums_free(struct sums *s);
