#include "analysis/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "agent/trace_file.h"
#include "analysis/memory.h"

#define DEPTH_MAX 32

static void complain(struct files *f, const char *path)
{
	fprintf(stderr, "ranktrace: %s: %s\n", path, strerror(errno));
	f->trouble = true;
}

static void add(struct files *f, const char *path)
{
	if (f->count == f->capacity) {
		f->capacity = f->capacity ? 2 * f->capacity : 64;
		f->paths = memory_grow(f->paths, f->capacity, sizeof(*f->paths));
	}
	f->paths[f->count++] = memory_text(path, strlen(path));
}

static bool ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a > b && !strcmp(text + a - b, end);
}

static void find_in(struct files *f, const char *folder, int depth);

static void look_at(struct files *f, const char *path, int depth)
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
	else if (S_ISREG(st.st_mode) && (!depth || ends_with(path, TRACE_SUFFIX) ||
					 ends_with(path, TRACE_SUFFIX TRACE_PART)))
		add(f, path);
}

static void find_in(struct files *f, const char *folder, int depth)
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
		char *path = memory_zero(length + strlen(name) + 2, 1);

		sprintf(path, "%s%s%s", folder, folder[length - 1] == '/' ? "" : "/", name);
		if (strcmp(name, ".") && strcmp(name, ".."))
			look_at(f, path, depth);
		free(path);
		free(entries[i]);
	}
	free(entries);
}

void files_find(struct files *f, const char *path)
{
	look_at(f, path, 0);
}

void files_free(struct files *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->paths[i]);
	free(f->paths);
}
