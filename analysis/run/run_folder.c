/* run_folder.c - directories of runs. */
#include "analysis/run/run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/save_path.h"
#include "analysis/run/refresh.h"
#include "analysis/util/alloc.h"

int run_folder_make(const struct config *c, char *folder, size_t size)
{
	char inside[1200];
	const char *name;

	snprintf(folder, size, "%s/%s", c->save_path, c->job[0] ? c->job : "unnamed");
	snprintf(inside, sizeof(inside), "%s/run.json", folder);
	return save_path_open(c->save_path, inside, true, &name);
}

void run_folder_show(const char *folder, char *text, size_t size)
{
	char here[PATH_MAX];
	size_t length = getcwd(here, sizeof(here)) ? strlen(here) : 0;

	if (length > 1 && !strncmp(folder, here, length) && folder[length] == '/')
		snprintf(text, size, ".%s", folder + length);
	else
		snprintf(text, size, "%s", folder);
}

static bool begins_as_ours(int fd)
{
	char text[sizeof(RUN_BEGIN) - 1];

	return read(fd, text, sizeof(text)) == sizeof(text) && !memcmp(text, RUN_BEGIN, sizeof(text));
}

/* run.json, or run-HOST-LAUNCH.json of a second launcher; others write files of such names, too. A link or a pipe is not ours. */
static bool is_run_json(DIR *dir, const char *name, struct stat *st)
{
	size_t length = strlen(name);
	bool ours;
	int fd;

	if (strncmp(name, "run", 3) || length <= 5 || strcmp(name + length - 5, ".json") ||
	    fstatat(dirfd(dir), name, st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st->st_mode))
		return false;
	if (!strcmp(name, "run.json"))
		return true;
	fd = openat(dirfd(dir), name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ours = fd >= 0 && begins_as_ours(fd);
	if (fd >= 0)
		close(fd);
	return ours;
}

/* Puts together what all launchers of a job wrote. Returns -ENOENT if none did; -EINVAL: folder names a file that is broken. */
static int read_job(struct run *r, char *folder, size_t size)
{
	DIR *dir = opendir(folder);
	char path[PATH_MAX];
	struct dirent *d;
	struct stat st;
	int err = dir ? -ENOENT : -errno;

	while (dir && err != -EINVAL && (d = readdir(dir))) {
		if (!is_run_json(dir, d->d_name, &st))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, d->d_name);
		err = run_read(r, path) ? -EINVAL : 0;
	}
	if (err == -EINVAL)
		snprintf(folder, size, "%s", path);
	if (dir)
		closedir(dir);
	return err;
}

static bool has_run(const char *folder, struct timespec *when)
{
	DIR *dir = opendir(folder);
	struct dirent *d;
	struct stat st;
	bool found = false;

	while (dir && (d = readdir(dir))) {
		if (!is_run_json(dir, d->d_name, &st))
			continue;
		*when = st.st_mtim;
		found = true;
	}
	if (dir)
		closedir(dir);
	return found;
}

bool run_folder_has_own(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(name);
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	DIR *dir = folder ? opendir(folder) : NULL;
	struct timespec when;
	struct stat st;
	bool own = dir && (is_run_json(dir, name, &st) || (!strcmp(name, RUN_SUMS) && !access(path, F_OK)));

	own |= folder && !strncmp(name, "analysis", 8) && length > 4 && !strcmp(name + length - 4, ".log") && !access(path, F_OK) && has_run(folder, &when);
	if (dir)
		closedir(dir);
	free(folder);
	return own;
}

static bool newer(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* The newest job of a save_path, or, a level deeper, of the save_paths in a folder. */
static bool find_newest(const char *save_path, unsigned int depth, char *folder, size_t size)
{
	DIR *dir = opendir(save_path);
	struct timespec best = { 0 }, when;
	char path[PATH_MAX], deeper[PATH_MAX];
	struct dirent *d;
	bool found = false;

	while (dir && (d = readdir(dir))) {
		if (*d->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", save_path, d->d_name);
		if (depth) {
			if (!find_newest(path, depth - 1, deeper, sizeof(deeper)))
				continue;
			snprintf(path, sizeof(path), "%s", deeper);
		}
		if (!has_run(path, &when) || (found && !newer(&when, &best)))
			continue;
		snprintf(folder, size, "%s", path);
		best = when;
		found = true;
	}
	if (dir)
		closedir(dir);
	return found;
}

bool run_folder_above(const char *path, char *folder, size_t size)
{
	struct timespec when;
	char *slash;

	snprintf(folder, size, "%s", path);
	for (int level = 0; level < 4; level++) {
		slash = strrchr(folder, '/');
		if (!slash)
			snprintf(folder, size, ".");
		else
			*slash = '\0';
		if (has_run(*folder ? folder : "/", &when))
			return true;
		if (!slash)
			return false;
	}
	return false;
}

int run_folder_read(struct run *r, const char *path, char *folder, size_t size)
{
	struct timespec when;
	struct stat st;
	bool found;
	int err;

	snprintf(folder, size, "%s", path);
	if (stat(path, &st))
		return -errno;
	for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/';)
		folder[--n] = '\0';
	if (!S_ISDIR(st.st_mode))
		found = run_folder_above(path, folder, size);
	else
		found = has_run(folder, &when) || find_newest(path, 0, folder, size) ||
			run_folder_above(path, folder, size) || find_newest(path, 1, folder, size);
	err = found ? read_job(r, folder, size) : -ENOENT;
	if (!err)
		refresh(r, folder);
	return err;
}

uint64_t run_started(const struct run *r)
{
	struct tm tm = { 0 };
	const char *rest = strptime(r->started, "%Y-%m-%dT%H:%M:%S", &tm);
	double fraction = rest && *rest == '.' ? strtod(rest, NULL) : 0;

	return rest ? (uint64_t)timegm(&tm) * 1000000000u + (uint64_t)(fraction * 1e9 + .5) : 0;
}

static void add_folder(struct run_folders *f, const char *path)
{
	char *real = realpath(path, NULL);

	if (!real)
		return;
	f->list = alloc_grow(f->list, f->count + 1, sizeof(*f->list));
	f->list[f->count++] = real;
}

static void find_folders(struct run_folders *f, const char *path, unsigned int depth)
{
	struct timespec when;
	DIR *dir = opendir(path);
	char inside[PATH_MAX];
	struct dirent *d;

	if (dir && has_run(path, &when)) {
		add_folder(f, path);
		depth = 0;
	}
	while (dir && depth && (d = readdir(dir))) {
		if (*d->d_name == '.')
			continue;
		snprintf(inside, sizeof(inside), "%s/%s", path, d->d_name);
		find_folders(f, inside, depth - 1);
	}
	if (dir)
		closedir(dir);
}

void run_folders_find(struct run_folders *f, const char *path)
{
	find_folders(f, path, 2);
}

size_t run_folders_below(const char *path)
{
	struct run_folders folders = { 0 };
	size_t count;

	run_folders_find(&folders, path);
	count = folders.count;
	for (size_t i = 0; i < count; i++)
		free(folders.list[i]);
	free(folders.list);
	return count;
}
