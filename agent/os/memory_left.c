#include "agent/os/memory_left.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT 8192

/* What a cgroup's files are called, by version. Of the first one a controller has a tree of its own. */
static const struct tree {
	const char *root, *limit, *used, *cache;
} trees[] = {
	{ "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file " },
	{ "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file " },
};

static bool read_text(const char *path, char text[TEXT])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, TEXT - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

static bool read_member(const char *folder, const char *name, char text[TEXT])
{
	char path[TEXT + 64];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return read_text(path, text);
}

static uint64_t unused_cache(const struct tree *t, const char *folder)
{
	char text[TEXT];
	const char *line = read_member(folder, "memory.stat", text) ? strstr(text, t->cache) : NULL;

	return line ? strtoull(line + strlen(t->cache), NULL, 10) : 0;
}

/* "max" is no number: no limit. */
static uint64_t left_in(const struct tree *t, const char *folder)
{
	char text[TEXT];
	uint64_t limit, used, cache;

	if (!read_member(folder, t->limit, text) || *text < '0' || *text > '9')
		return UINT64_MAX;
	limit = strtoull(text, NULL, 10);
	if (!read_member(folder, t->used, text))
		return UINT64_MAX;
	used = strtoull(text, NULL, 10);
	cache = unused_cache(t, folder);
	used = used > cache ? used - cache : 0;
	return limit > used ? limit - used : 0;
}

/* From the cgroup itself up to the root: in a container that is where the container's own limit is seen. */
static uint64_t least_left(const struct tree *t, const char *path)
{
	char folder[TEXT];
	uint64_t least = UINT64_MAX;
	size_t root = strlen(t->root);

	snprintf(folder, sizeof(folder), "%s%s", t->root, path);
	for (;;) {
		uint64_t left = left_in(t, folder);
		char *slash = strrchr(folder, '/');

		least = left < least ? left : least;
		if (!slash || (size_t)(slash - folder) < root)
			return least;
		*slash = '\0';
	}
}

/* A line is NUMBER:CONTROLLERS:PATH; of the second version there are no controllers. */
static const struct tree *tree_of(const char *line, const char **path)
{
	const char *controllers = strchr(line, ':');

	*path = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!*path)
		return NULL;
	if (++*path == controllers + 2)
		return &trees[0];
	return memmem(controllers, (size_t)(*path - controllers), "memory", 6) ? &trees[1] : NULL;
}

uint64_t memory_left(void)
{
	char text[TEXT], *rest = NULL;
	uint64_t least = UINT64_MAX;

	if (!read_text("/proc/self/cgroup", text))
		return least;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const char *path;
		const struct tree *t = tree_of(line, &path);
		uint64_t left = t ? least_left(t, path) : UINT64_MAX;

		least = left < least ? left : least;
	}
	return least;
}
