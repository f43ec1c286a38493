#include "analysis/trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "analysis/util/alloc.h"
#include "analysis/util/rank_list.h"
#include "analysis/util/trace_paths.h"

static struct process *process_of(struct trace *t, struct table *known, uint64_t file_id)
{
	size_t *number = table_put(known, file_id);

	if (*number)
		return &t->processes[*number - 1];
	if (t->count == t->capacity) {
		t->capacity = t->capacity ? 2 * t->capacity : 16;
		t->processes = alloc_grow(t->processes, t->capacity, sizeof(*t->processes));
	}
	*number = ++t->count;
	t->processes[t->count - 1] = (struct process){ .file_id = file_id };
	return &t->processes[t->count - 1];
}

static void add_file(struct process *p, const struct trace_file *f, const struct chunk_header *first)
{
	p->files = alloc_grow(p->files, p->file_count + 1, sizeof(*p->files));
	p->files[p->file_count++] = (struct trace_file){
		.path = alloc_text(f->path, strlen(f->path)),
		.part = f->part,
		.known = f->known,
		.first_ticks = first->ticks,
		.first_monotonic = first->monotonic,
		.first_realtime = first->realtime,
	};
}

static const char newer[] = "written by a newer version; use the ranktrace that came with it";
static const char nothing[] = "no whole chunk: no trace file, or cut off right at its start";

/* Takes the file in if it has one whole chunk. */
static void take_file(struct trace *t, struct table *known, char *path)
{
	struct trace_file f = { .path = path };
	const uint8_t *payload;
	struct process *p;
	struct reader r;
	struct chunk chunk;
	size_t size;
	int err = trace_file_open(&r, &f, UINT64_MAX);

	if (err) {
		fprintf(stderr, "ranktrace: %s: %s\n", path, strerror(-err));
		t->trouble = true;
		return;
	}
	if (!reader_next(&r, &chunk)) {
		if (f.part && !r.size)
			goto close; /* opened this moment, or take_empty() tells */
		fprintf(stderr, "ranktrace: %s: %s\n", path, r.newer ? newer : nothing);
		t->trouble = true;
		goto close;
	}
	p = process_of(t, known, chunk.header.file_id);
	add_file(p, &f, &chunk.header);
	if (chunk.header.type == CHUNK_FILE && (payload = reader_payload(&r, &chunk, &size)))
		key_values_parse(&p->facts, payload, size);
close:
	reader_close(&r);
}

static void take_known(struct trace *t, struct table *known, char *path, const struct known_file *file)
{
	struct chunk_header first = { .ticks = file->first_ticks, .monotonic = file->first_monotonic, .realtime = file->first_realtime };

	add_file(process_of(t, known, file->file_id), &(struct trace_file){ .path = path, .known = true }, &first);
}

/* The facts at its beginning, of which only the other files' were read. */
static void read_facts(struct process *p, struct trace_file *f)
{
	const uint8_t *payload;
	struct chunk chunk;
	struct reader r;
	size_t size;

	if (trace_file_open(&r, f, UINT64_MAX))
		return; /* whoever loads it says why */
	if (reader_next(&r, &chunk) && chunk.header.type == CHUNK_FILE && (payload = reader_payload(&r, &chunk, &size)))
		key_values_parse(&p->facts, payload, size);
	reader_close(&r);
}

static void find_known(struct process *p, const struct known_files *known)
{
	size_t files = 0;

	for (size_t i = 0; i < p->file_count; i++)
		files += p->files[i].known;
	p->known = files && files == p->file_count && known->process(known->context, p);
	if (!files || p->known)
		return;
	key_values_free(&p->facts);
	for (size_t i = 0; i < p->file_count; i++)
		read_facts(p, &p->files[i]);
}

#define OPENED_NOW 2 /* seconds: a file that is so young may have its beginning in a moment */

/* Whose it was to be: its name ends with pid and file id. NULL: it has no other file. */
static struct process *process_by_name(struct trace *t, const char *path)
{
	const char *dash = strrchr(path, '-');
	uint32_t id;

	if (!dash || sscanf(dash, "-%8" SCNx32 ".", &id) != 1)
		return NULL;
	for (size_t i = 0; i < t->count; i++)
		if ((uint32_t)t->processes[i].file_id == id)
			return &t->processes[i];
	return NULL;
}

/* A file that nothing could be written to is there, and empty. */
static void take_empty(struct trace *t, const char *path)
{
	size_t length = strlen(path), suffix = strlen(TRACE_PART);
	struct process *p;
	struct stat st;

	if (length < suffix || strcmp(path + length - suffix, TRACE_PART) || stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size || time(NULL) - st.st_mtime < OPENED_NOW)
		return;
	fprintf(stderr, "ranktrace: %s: empty: what was to be written to it is lost, as on a full disk\n", path);
	t->trouble = true;
	p = process_by_name(t, path);
	if (p)
		p->empty_files++;
}

/* By ticks: the wall clock may have been set back between two files. */
static int by_start(const void *a, const void *b)
{
	const struct trace_file *x = a, *y = b;

	if (x->first_ticks != y->first_ticks)
		return x->first_ticks < y->first_ticks ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int by_rank(const void *a, const void *b)
{
	const struct process *x = a, *y = b;
	int order;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	order = strcmp(process_fact(x, "worker_group"), process_fact(y, "worker_group"));
	if (!order)
		order = strcmp(process_fact(x, "host"), process_fact(y, "host"));
	if (!order)
		order = (x->pid > y->pid) - (x->pid < y->pid);
	return order ? order : strcmp(x->files[0].path, y->files[0].path);
}

/* The same file by two ways (a file and its folder given) counts once. */
static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void take_all(struct trace *t, struct trace_paths *files, const struct known_files *known_files)
{
	const struct known_file *file;
	struct table known = TABLE(size_t);

	for (size_t i = 0; i < files->count; i++) {
		char *real = realpath(files->paths[i], NULL);

		if (real) {
			free(files->paths[i]);
			files->paths[i] = real;
		}
	}
	if (files->count)
		qsort(files->paths, files->count, sizeof(*files->paths), by_name);
	if (known_files)
		known_files->found(known_files->context, files->paths, files->count);
	for (size_t i = 0; i < files->count; i++) {
		if (i && !strcmp(files->paths[i - 1], files->paths[i]))
			continue;
		file = known_files ? known_files->file(known_files->context, files->paths[i]) : NULL;
		if (file)
			take_known(t, &known, files->paths[i], file);
		else
			take_file(t, &known, files->paths[i]);
	}
	for (size_t i = 0; i < files->count; i++)
		if (!i || strcmp(files->paths[i - 1], files->paths[i]))
			take_empty(t, files->paths[i]);
	table_free(&known);
}

/* A rank whose files' beginnings name no group may name it later: to be looked for where another one has one. */
static void find_late_groups(struct trace *t)
{
	bool some = false;

	for (size_t i = 0; i < t->count; i++)
		some |= *process_fact(&t->processes[i], "worker_group") != '\0';
	for (size_t i = 0; some && i < t->count; i++) {
		struct process *p = &t->processes[i];

		if (p->has_rank && !p->known && !*process_fact(p, "worker_group"))
			process_find_group(p);
	}
}

static void note_groups(struct trace *t)
{
	struct rank_groups groups = { 0 };

	for (size_t i = 0; i < t->count; i++)
		if (t->processes[i].has_rank)
			rank_groups_take(&groups, process_fact(&t->processes[i], "worker_group"));
	for (size_t i = 0; i < t->count; i++)
		t->processes[i].grouped = groups.several;
}

void trace_open(struct trace *t, char *const *paths, int count)
{
	trace_open_knowing(t, paths, count, NULL);
}

void trace_open_knowing(struct trace *t, char *const *paths, int count, const struct known_files *known)
{
	struct trace_paths files = { 0 };

	*t = (struct trace){ 0 };
	for (int i = 0; i < count; i++)
		trace_paths_find(&files, paths[i]);
	take_all(t, &files, known);
	if (!files.count && !files.trouble)
		fprintf(stderr, "ranktrace: %s: no *" TRACE_SUFFIX " file; `ranktrace check` says "
				"why a run recorded nothing\n",
			paths[0]);
	if (files.count && !t->count && !t->trouble) {
		fprintf(stderr, "ranktrace: %s: empty so far; `ranktrace check` says what its process is doing\n",
			files.paths[0]);
		t->trouble = true;
	}
	t->trouble |= files.trouble || !files.count;
	trace_paths_free(&files);

	for (size_t i = 0; i < t->count; i++) {
		qsort(t->processes[i].files, t->processes[i].file_count,
		      sizeof(struct trace_file), by_start);
		if (known)
			find_known(&t->processes[i], known);
		process_identify(&t->processes[i]);
	}
	find_late_groups(t);
	if (t->count)
		qsort(t->processes, t->count, sizeof(*t->processes), by_rank);
	note_groups(t);
}

void trace_close(struct trace *t)
{
	for (size_t i = 0; i < t->count; i++) {
		struct process *p = &t->processes[i];

		process_unload(p);
		for (size_t k = 0; k < p->file_count; k++)
			free(p->files[k].path);
		free(p->files);
		key_values_free(&p->facts);
	}
	free(t->processes);
}
