#include "analysis/util/trace_paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/format/trace_file.h"
#include "analysis/util/alloc.h"

#define DEPTH_MAX 32

static void complain(struct trace_paths *f, const char *path)
{
	fprintf(stderr, "ranktrace: %s: %s%s\n", path, strerror(errno),
		errno == ENOENT ? ": name the --save-path of a run, or a trace file" : "");
	f->trouble = true;
}

static void complain_of_depth(struct trace_paths *f, const char *path)
{
	fprintf(stderr, "ranktrace: %s: lies too deep to be looked into: name it\n", path);
	f->trouble = true;
}

static void add(struct trace_paths *f, const char *path)
{
	if (f->count == f->capacity) {
		f->capacity = f->capacity ? 2 * f->capacity : 64;
		f->paths = alloc_grow(f->paths, f->capacity, sizeof(*f->paths));
	}
	f->paths[f->count++] = alloc_text(path, strlen(path));
}

static bool ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a > b && !strcmp(text + a - b, end);
}

static bool named_as_trace(const char *path)
{
	return ends_with(path, TRACE_SUFFIX) || ends_with(path, TRACE_SUFFIX TRACE_PART);
}

static void find_in(struct trace_paths *f, const char *folder, int depth);

static void visit(struct trace_paths *f, const char *path, int depth)
{
	struct stat st;

	/* Links inside a folder are not followed: they may lead round in circles. */
	if (depth ? lstat(path, &st) : stat(path, &st)) {
		if (!depth || errno != ENOENT)
			complain(f, path);
		return;
	}
	if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
		find_in(f, path, depth + 1);
	else if (S_ISDIR(st.st_mode))
		complain_of_depth(f, path);
	else if (S_ISREG(st.st_mode) && (!depth || named_as_trace(path)))
		add(f, path);
}

static void find_in(struct trace_paths *f, const char *folder, int depth)
{
	size_t length = strlen(folder);
	struct dirent **entries;
	int n = scandir(folder, &entries, NULL, alphasort);

	if (n < 0) {
		complain(f, folder);
		return;
	}
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;
		char *path = alloc_zero(length + strlen(name) + 2, 1);

		sprintf(path, "%s%s%s", folder, folder[length - 1] == '/' ? "" : "/", name);
		if (strcmp(name, ".") && strcmp(name, ".."))
			visit(f, path, depth);
		free(path);
		free(entries[i]);
	}
	free(entries);
}

void trace_paths_find(struct trace_paths *f, const char *path)
{
	visit(f, path, 0);
}

void trace_paths_free(struct trace_paths *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->paths[i]);
	free(f->paths);
}

bool trace_paths_below(const char *path)
{
	struct trace_paths files = { 0 };
	bool some;

	trace_paths_find(&files, path);
	some = files.count;
	trace_paths_free(&files);
	return some;
}

bool trace_paths_same(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool trace_paths_are_beside(const char *a, const char *b)
{
	const char *slash = strrchr(a, '/'), *other = strrchr(b, '/');

	return slash && other && slash - a == other - b && !memcmp(a, b, (size_t)(slash - a));
}

bool trace_paths_is_trace(const char *path)
{
	uint32_t magic = 0;
	struct stat st;
	ssize_t n;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	n = fd < 0 ? -1 : read(fd, &magic, sizeof(magic));
	if (fd >= 0)
		close(fd);
	return named_as_trace(path) || (n == sizeof(magic) && magic == CHUNK_MAGIC);
}
