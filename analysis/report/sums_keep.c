/* sums_keep.c - report.sums is written: what was read now, and what was known. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/crc32c.h"
#include "analysis/report/report_parcel.h"
#include "analysis/report/sums_files.h"
#include "analysis/run/run_folder.h"
#include "analysis/util/alloc.h"
#include "analysis/util/out.h"

static void put_record(struct out *o, const char *folder, struct sums_file *files, size_t count, struct report *report)
{
	struct parcel p = { 0 }, packed;
	struct sums_record_head h;

	sums_files_parcel(&p, folder, &files, &count);
	report_pack(&packed, report);
	parcel_bytes(&p, packed.bytes, packed.used);
	h = (struct sums_record_head){ (uint32_t)p.used, crc32c(0, p.bytes, p.used) };
	if (p.used <= SUMS_RECORD_MAX) {
		out_bytes(o, (const char *)&h, sizeof(h));
		out_bytes(o, (const char *)p.bytes, p.used);
	}
	free(packed.bytes);
	free(p.bytes);
}

/* A process that was read now, as its files were before. */
static void put_process(struct sums *s, size_t run, struct out *o, const struct process *p, struct report *report)
{
	struct sums_file *files = alloc_zero(p->file_count, sizeof(*files));
	bool all = true;

	for (size_t i = 0; all && i < p->file_count; i++) {
		const struct trace_file *f = &p->files[i];
		const struct sums_file *file = sums_file_find(s, f->path);

		all = file && file->run == run;
		if (all)
			files[i] = *file;
		if (file && file->record != SUMS_NOBODY)
			s->records[file->record].taken = true; /* of fewer files: this one takes its place */
		files[i].known = (struct known_file){ p->file_id, f->first_ticks, f->first_monotonic, f->first_realtime };
	}
	if (all)
		put_record(o, s->runs[run].folder, files, p->file_count, report);
	free(files);
}

static size_t run_of_process(const struct sums *s, const struct process *p)
{
	const struct sums_file *f = sums_file_find(s, p->files[0].path);

	return f ? f->run : SUMS_NOBODY;
}

static void put_run(struct sums *s, size_t run, struct out *o, const struct trace *t, struct report *reports, const bool *settled)
{
	out_text(o, SUMS_BEGIN);
	for (size_t i = 0; i < t->count; i++)
		if (settled[i] && run_of_process(s, &t->processes[i]) == run)
			put_process(s, run, o, &t->processes[i], &reports[i]);
	for (size_t i = 0; i < s->record_count; i++) {
		struct sums_record *record = &s->records[i];

		if (!record->taken && record->run == run)
			put_record(o, s->runs[run].folder, &s->files[record->first], record->count, &record->report);
	}
	out_flush(o);
}

/* A file without a name gets this one. */
static int give_name(int fd, const char *name)
{
	char own[64];

	snprintf(own, sizeof(own), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/*
 * Whole, or not at all; that it could not be done is nobody's concern. Where a file can be had without a name, whoever is ended meanwhile
 * leaves none behind.
 */
static void write_run(struct sums *s, size_t run, const struct trace *t, struct report *reports, const bool *settled)
{
	const char *folder = s->runs[run].folder;
	char *path = alloc_format("%s/%s", folder, RUN_SUMS), *hidden = alloc_format("%s/.%s-%d", folder, RUN_SUMS, (int)getpid());
	struct out *o = alloc_zero(1, sizeof(*o));
	bool named = (o->fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600)) < 0;

	if (named)
		o->fd = open(hidden, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	if (o->fd >= 0) {
		put_run(s, run, o, t, reports, settled);
		named = named || (!o->error && !give_name(o->fd, hidden));
		if ((close(o->fd) || o->error || (named && rename(hidden, path))) && named)
			unlink(hidden);
	}
	free(o);
	free(hidden);
	free(path);
}

void sums_keep(struct sums *s, const struct trace *t, struct report *reports, const bool *settled)
{
	size_t run;

	for (size_t i = 0; i < t->count; i++)
		if (settled[i] && !t->processes[i].known && (run = run_of_process(s, &t->processes[i])) != SUMS_NOBODY)
			s->runs[run].news = true;
	for (size_t i = 0; i < s->run_count; i++)
		if (s->runs[i].news)
			write_run(s, i, t, reports, settled);
}
