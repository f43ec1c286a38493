#include "analysis/view/ui_folder.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *type_of(const char *path)
{
	static const char *const types[][2] = {
		{ ".html", "text/html; charset=utf-8" },
		{ ".js", "text/javascript" },
		{ ".css", "text/css" },
		{ ".wasm", "application/wasm" },
		{ ".json", "application/json" },
		{ ".svg", "image/svg+xml" },
		{ ".png", "image/png" },
		{ ".woff2", "font/woff2" },
		{ ".ico", "image/x-icon" },
	};
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(dot, types[i][0]))
			return types[i][1];
	return "application/octet-stream";
}

/* A link may lead out of it. */
static bool lies_in(const char *folder, const char *path)
{
	char whole[PATH_MAX], base[PATH_MAX];
	size_t length;

	if (!realpath(folder, base) || !realpath(path, whole))
		return false;
	length = strlen(base);
	return !strncmp(whole, base, length) && whole[length] == '/';
}

int ui_folder_open(const char *folder, const char *path, size_t *size, const char **type)
{
	size_t length = strlen(path);
	char whole[PATH_MAX];
	struct stat st;
	int fd;

	if (snprintf(whole, sizeof(whole), "%s/%s%s", folder, path, !length || path[length - 1] == '/' ? "index.html" : "") >= (int)sizeof(whole))
		return -1;
	fd = lies_in(folder, whole) ? open(whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		return -1;
	*size = (size_t)st.st_size;
	*type = type_of(whole);
	return fd;
}
