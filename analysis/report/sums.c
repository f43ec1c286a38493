#include "analysis/report/sums.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/crc32c.h"
#include "analysis/report/report_parcel.h"
#include "analysis/run/run_folder.h"
#include "analysis/util/alloc.h"
#include "analysis/util/out.h"
#include "analysis/util/trace_paths.h"

#define SUMS_BEGIN "ranktrace sums 1 " RANKTRACE_VERSION "\n"
#define RECORD_MAX (64u << 20) /* bytes: of a process with all its names */
#define NOBODY	   SIZE_MAX

struct sums_run {
	char *folder;
	bool news; /* to be written */
};

/* A file as it was: when it was read, or now that it may be. */
struct sums_file {
	char *path; /* whole */
	uint64_t size, changed, inode;
	struct known_file known;
	size_t record, run; /* record: NOBODY: to be read */
};

struct sums_record {
	size_t first, count; /* of s->files */
	size_t run;
	bool taken;
	struct report report;
};

struct record_head {
	uint32_t size, crc; /* of the bytes behind it */
};

/* ---- files ---- */

static bool look(struct sums_file *f)
{
	struct stat st;

	if (stat(f->path, &st) || !S_ISREG(st.st_mode))
		return false;
	f->size = (uint64_t)st.st_size;
	f->changed = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
	f->inode = st.st_ino;
	return true;
}

static bool is_as_it_was(const struct sums_file *f)
{
	struct sums_file now = { .path = f->path };

	return look(&now) && now.size == f->size && now.changed == f->changed && now.inode == f->inode;
}

static uint64_t number_of(const char *path)
{
	return table_text_key(path, strlen(path));
}

static struct sums_file *find(const struct sums *s, const char *path)
{
	const uint32_t *number = table_find(&s->by_path, number_of(path));

	return number && !strcmp(s->files[*number - 1].path, path) ? &s->files[*number - 1] : NULL;
}

static void add_file(struct sums *s, const struct sums_file *f)
{
	uint32_t *number = table_put(&s->by_path, number_of(f->path));

	if (s->file_count == s->file_room) {
		s->file_room = s->file_room ? 2 * s->file_room : 64;
		s->files = alloc_grow(s->files, s->file_room, sizeof(*s->files));
	}
	s->files[s->file_count++] = *f;
	*number = (uint32_t)s->file_count;
}

/* ---- records ---- */

/* Names of files are told from the run's folder on. */
static void parcel_files(struct parcel *p, const char *folder, struct sums_file **files, size_t *count)
{
	for (size_t i = 0; parcel_has(p, i, files, count, sizeof(**files)); i++) {
		struct sums_file *f = &(*files)[i];
		char *name = p->opened ? NULL : f->path + strlen(folder) + 1;

		parcel_text(p, &name);
		PARCEL(p, f->size);
		PARCEL(p, f->changed);
		PARCEL(p, f->inode);
		PARCEL_U64S(p, f->known);
		if (!p->opened)
			continue;
		f->path = alloc_format("%s/%s", folder, name);
		free(name);
	}
}

static bool are_as_they_were(const struct sums_file *files, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!is_as_it_was(&files[i]))
			return false;
	return count;
}

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
		add_file(s, &files[i]);
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

	parcel_files(&p, s->runs[run].folder, &files, &count);
	if (!p.broken && are_as_they_were(files, count) && !find(s, files[0].path) && report_unpack(&report, bytes + p.used, size - p.used))
		add_record(s, run, files, count, &report);
	else
		for (size_t i = 0; i < count; i++)
			free(files[i].path);
	free(files);
}

static void read_records(struct sums *s, size_t run, FILE *from)
{
	char begin[sizeof(SUMS_BEGIN) - 1];
	struct record_head h;
	uint8_t *bytes = NULL;
	size_t room = 0;

	if (fread(begin, sizeof(begin), 1, from) != 1 || memcmp(begin, SUMS_BEGIN, sizeof(begin)))
		return;
	while (fread(&h, sizeof(h), 1, from) == 1 && h.size <= RECORD_MAX) {
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
		return NOBODY;
	if (!run_folder_above(path, folder, sizeof(folder)) || !*folder) {
		s->nowhere = path;
		return NOBODY;
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
		struct sums_file f = { .record = NOBODY };

		f.run = run_of(s, paths[i]);
		if (f.run == NOBODY || find(s, paths[i]))
			continue;
		f.path = alloc_text(paths[i], strlen(paths[i]));
		if (look(&f))
			add_file(s, &f);
		else
			free(f.path);
	}
	s->nowhere = NULL;
}

/* ---- for who opens a trace ---- */

static const struct known_file *known(void *context, const char *path)
{
	const struct sums_file *f = find(context, path);

	return f && f->record != NOBODY ? &f->known : NULL;
}

/* The record that has just the files of this process. */
static struct sums_record *record_of(const struct sums *s, const struct process *p)
{
	const struct sums_file *f = find(s, p->files[0].path);
	struct sums_record *record = f && f->record != NOBODY ? &s->records[f->record] : NULL;

	if (!record || record->count != p->file_count)
		return NULL;
	for (size_t i = 1; i < p->file_count; i++) {
		const struct sums_file *other = find(s, p->files[i].path);

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

/* ---- keeping them ---- */

static void put_record(struct out *o, const char *folder, struct sums_file *files, size_t count, struct report *report)
{
	struct parcel p = { 0 }, packed;
	struct record_head h;

	parcel_files(&p, folder, &files, &count);
	report_pack(&packed, report);
	parcel_bytes(&p, packed.bytes, packed.used);
	h = (struct record_head){ (uint32_t)p.used, crc32c(0, p.bytes, p.used) };
	if (p.used <= RECORD_MAX) {
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
		const struct sums_file *file = find(s, f->path);

		all = file && file->run == run;
		if (all)
			files[i] = *file;
		if (file && file->record != NOBODY)
			s->records[file->record].taken = true; /* of fewer files: this one takes its place */
		files[i].known = (struct known_file){ p->file_id, f->first_ticks, f->first_monotonic, f->first_realtime };
	}
	if (all)
		put_record(o, s->runs[run].folder, files, p->file_count, report);
	free(files);
}

static size_t run_of_process(const struct sums *s, const struct process *p)
{
	const struct sums_file *f = find(s, p->files[0].path);

	return f ? f->run : NOBODY;
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

static void put_hidden_in_place(const char *hidden, const char *path)
{
	if (rename(hidden, path))
		unlink(hidden);
}

/* A file without a name, of which nothing is left if we are ended meanwhile, gets one. */
static void name_file(int fd, char *hidden, const char *path)
{
	char own[64];

	snprintf(own, sizeof(own), "/proc/self/fd/%d", fd);
	snprintf(hidden + strlen(hidden) - strlen("XXXXXX"), sizeof("XXXXXX"), "%06u", (unsigned int)getpid() % 1000000);
	if (!linkat(AT_FDCWD, own, AT_FDCWD, hidden, AT_SYMLINK_FOLLOW))
		put_hidden_in_place(hidden, path);
}

/* Whole, or not at all; that it could not be done is nobody's concern. */
static void write_run(struct sums *s, size_t run, const struct trace *t, struct report *reports, const bool *settled)
{
	const char *folder = s->runs[run].folder;
	char *path = alloc_format("%s/%s", folder, RUN_SUMS), *hidden = alloc_format("%s/.%s-XXXXXX", folder, RUN_SUMS);
	struct out *o = alloc_zero(1, sizeof(*o));
	bool nameless = (o->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)) >= 0;

	if (!nameless)
		o->fd = mkostemp(hidden, O_CLOEXEC);
	if (o->fd >= 0)
		put_run(s, run, o, t, reports, settled);
	if (nameless && !o->error)
		name_file(o->fd, hidden, path);
	if (o->fd >= 0 && (close(o->fd) || o->error) && !nameless)
		unlink(hidden);
	else if (o->fd >= 0 && !nameless)
		put_hidden_in_place(hidden, path);
	free(o);
	free(hidden);
	free(path);
}

void sums_keep(struct sums *s, const struct trace *t, struct report *reports, const bool *settled)
{
	size_t run;

	for (size_t i = 0; i < t->count; i++)
		if (settled[i] && !t->processes[i].known && (run = run_of_process(s, &t->processes[i])) != NOBODY)
			s->runs[run].news = true;
	for (size_t i = 0; i < s->run_count; i++)
		if (s->runs[i].news)
			write_run(s, i, t, reports, settled);
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
