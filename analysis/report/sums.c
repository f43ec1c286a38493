#include "analysis/report/sums.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/crc32c.h"
#include "analysis/report/report_parcel.h"
#include "analysis/report/sums_files.h"
#include "analysis/run/run_folder.h"
#include "analysis/util/alloc.h"
#include "analysis/util/trace_paths.h"

/* ---- records ---- */

static void add_record(struct sums *s, size_t run, struct sums_file *files, size_t count, const struct report *report)
{
	if (s->record_count == s->record_room) {
		s->record_room = s->record_room ? 2 * s->record_room : 64;
		s->records = alloc_grow(s->records, s->record_room, sizeof(*s->records));
	}
	s->records[s->record_count] = (struct sums_record){ .first = s->file_count, .count = count, .run = run, .report = *report };
	for (size_t i = 0; i < count; i++) {
		files[i].record = s->record_count;
		files[i].run = run;
		sums_file_add(s, &files[i]);
	}
	s->record_count++;
}

/* One that is broken, or whose files are others now, is left out. */
static void open_record(struct sums *s, size_t run, const uint8_t *bytes, size_t size)
{
	struct parcel p = PARCEL_OF(bytes, size);
	struct report report = { 0 };
	struct sums_file *files;
	size_t count = 0;

	sums_files_parcel(&p, s->runs[run].folder, &files, &count);
	if (!p.broken && sums_files_are_as_they_were(files, count) && !sums_file_find(s, files[0].path) && report_unpack(&report, bytes + p.used, size - p.used))
		add_record(s, run, files, count, &report);
	else
		for (size_t i = 0; i < count; i++)
			free(files[i].path);
	free(files);
}

static void read_records(struct sums *s, size_t run, FILE *from)
{
	char begin[sizeof(SUMS_BEGIN) - 1];
	struct sums_record_head h;
	uint8_t *bytes = NULL;
	size_t room = 0;

	if (fread(begin, sizeof(begin), 1, from) != 1 || memcmp(begin, SUMS_BEGIN, sizeof(begin)))
		return;
	while (fread(&h, sizeof(h), 1, from) == 1 && h.size <= SUMS_RECORD_MAX) {
		if (h.size > room) {
			room = h.size;
			bytes = alloc_grow(bytes, room, 1);
		}
		if (fread(bytes, 1, h.size, from) != h.size || crc32c(0, bytes, h.size) != h.crc)
			break;
		open_record(s, run, bytes, h.size);
	}
	free(bytes);
}

static void read_run(struct sums *s, size_t run)
{
	char *path = alloc_format("%s/%s", s->runs[run].folder, RUN_SUMS);
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	FILE *from;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && (from = fdopen(fd, "r"))) {
		read_records(s, run, from);
		fclose(from);
	} else if (fd >= 0) {
		close(fd);
	}
	free(path);
}

/* ---- runs ---- */

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return !strncmp(path, folder, n) && path[n] == '/';
}

/* Files come in the order of their names: most often it is the last one. */
static size_t run_of(struct sums *s, const char *path)
{
	char folder[4096];

	for (size_t i = s->run_count; i--;)
		if (is_below(path, s->runs[i].folder))
			return i;
	if (s->nowhere && trace_paths_are_beside(path, s->nowhere))
		return SUMS_NOBODY;
	if (!run_folder_above(path, folder, sizeof(folder)) || !*folder) {
		s->nowhere = path;
		return SUMS_NOBODY;
	}
	s->runs = alloc_grow(s->runs, s->run_count + 1, sizeof(*s->runs));
	s->runs[s->run_count] = (struct sums_run){ .folder = alloc_text(folder, strlen(folder)) };
	read_run(s, s->run_count);
	return s->run_count++;
}

static void found(void *context, char *const *paths, size_t count)
{
	struct sums *s = context;

	for (size_t i = 0; i < count; i++) {
		struct sums_file f = { .record = SUMS_NOBODY };

		f.run = run_of(s, paths[i]);
		if (f.run == SUMS_NOBODY || sums_file_find(s, paths[i]))
			continue;
		f.path = alloc_text(paths[i], strlen(paths[i]));
		if (sums_file_look(&f))
			sums_file_add(s, &f);
		else
			free(f.path);
	}
	s->nowhere = NULL;
}

/* ---- for who opens a trace ---- */

static const struct known_file *known(void *context, const char *path)
{
	const struct sums_file *f = sums_file_find(context, path);

	return f && f->record != SUMS_NOBODY ? &f->known : NULL;
}

/* The record that has just the files of this process. */
static struct sums_record *record_of(const struct sums *s, const struct process *p)
{
	const struct sums_file *f = sums_file_find(s, p->files[0].path);
	struct sums_record *record = f && f->record != SUMS_NOBODY ? &s->records[f->record] : NULL;

	if (!record || record->count != p->file_count)
		return NULL;
	for (size_t i = 1; i < p->file_count; i++) {
		const struct sums_file *other = sums_file_find(s, p->files[i].path);

		if (!other || other->record != f->record)
			return NULL;
	}
	return record;
}

/* Whether one without a rank is wanted its devices tell, where ranks were asked for. */
static bool identify(void *context, struct process *p)
{
	static const char *const who[] = { "rank", "pid", "host", "worker_group" };
	const struct sums *s = context;
	const struct sums_record *record = record_of(s, p);

	if (!record || (!record->report.has_rank && !s->choice->ranks.all))
		return false;
	for (size_t i = 0; i < sizeof(who) / sizeof(*who); i++) {
		const char *value = key_values_get(&record->report.facts, who[i]);

		if (value)
			key_values_set(&p->facts, who[i], value);
	}
	return true;
}

struct known_files sums_known(struct sums *s, const struct choice *choice)
{
	*s = (struct sums){ .choice = choice, .by_path = TABLE(uint32_t) };
	return (struct known_files){ .found = found, .file = known, .process = identify, .context = s };
}

void sums_take(struct sums *s, const struct process *p, struct report *r)
{
	struct sums_record *record = record_of(s, p);

	*r = record->report;
	r->chosen = s->choice->ranks.all || choice_has_rank(s->choice, r->has_rank, r->rank);
	record->report = (struct report){ 0 };
	record->taken = true;
}

void sums_free(struct sums *s)
{
	for (size_t i = 0; i < s->record_count; i++)
		report_free(&s->records[i].report);
	for (size_t i = 0; i < s->file_count; i++)
		free(s->files[i].path);
	for (size_t i = 0; i < s->run_count; i++)
		free(s->runs[i].folder);
	free(s->runs);
	free(s->records);
	free(s->files);
	table_free(&s->by_path);
}
