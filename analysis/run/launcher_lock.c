#include "analysis/run/launcher_lock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/session/sessions.h"

static void lock_path(const char *launch, char *path, size_t size)
{
	char root[SESSION_PATH - 256];

	sessions_root(root, sizeof(root));
	snprintf(path, size, "%s/launch.%s", root, launch);
}

static bool is_still(int fd, const char *path)
{
	struct stat ours, there;

	return !fstat(fd, &ours) && !lstat(path, &there) && ours.st_ino == there.st_ino &&
	       ours.st_dev == there.st_dev;
}

int launcher_lock(const char *launch)
{
	char root[SESSION_PATH - 256], path[SESSION_PATH];
	int fd;

	sessions_root(root, sizeof(root));
	lock_path(launch, path, sizeof(path));
	for (int tries = 0; tries < 100; tries++) {
		if (mkdir(root, 0700) && errno != EEXIST)
			return -errno;
		fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno == ENOENT)
			continue; /* another launcher has ended, and removed the empty folder */
		if (fd < 0)
			return -errno;
		if (!flock(fd, LOCK_EX | LOCK_NB) && is_still(fd, path))
			return fd;
		close(fd); /* somebody looks at it, or swept it away before it was locked */
		usleep(1000);
	}
	return -EBUSY;
}

/* Is the lock free? Then it is held by us while `then` runs. */
static bool while_free(const char *path, void (*then)(const char *path))
{
	int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	bool is_free;

	if (fd < 0)
		return true;
	is_free = !flock(fd, (then ? LOCK_EX : LOCK_SH) | LOCK_NB) || errno != EWOULDBLOCK;
	if (is_free && then)
		then(path);
	close(fd);
	return is_free;
}

bool launcher_is_alive(const char *launch)
{
	char path[SESSION_PATH];

	lock_path(launch, path, sizeof(path));
	return *launch && !while_free(path, NULL);
}

static void remove_lock(const char *path)
{
	unlink(path);
}

void launcher_link_path(const char *launch, char *path, size_t size)
{
	char root[SESSION_PATH - 256];

	sessions_root(root, sizeof(root));
	snprintf(path, size, "%s/link.%s", root, launch);
}

int launcher_link(const char *launch, const char *folder)
{
	char path[SESSION_PATH];
	int err;

	sessions_root(path, sizeof(path));
	err = sessions_possible(path);
	launcher_link_path(launch, path, sizeof(path));
	return err ? err : symlink(folder, path) ? -errno
						 : 0;
}

/* Does a process of this launcher's run, which may start others? */
static bool is_outlived(const char *launch)
{
	struct sessions s;
	bool yes = false;

	sessions_read(&s);
	for (size_t i = 0; i < s.count; i++)
		yes |= !strcmp(s.list[i].status->launch, launch) && !session_is_over(&s.list[i]);
	sessions_free(&s);
	return yes;
}

/* said.<launch>.<topic>, or link.<launch>, of a launcher that is not there any more */
static bool is_orphan(const char *name)
{
	bool is_link = !strncmp(name, "link.", 5);
	char launch[64];

	if (!is_link && strncmp(name, "said.", 5))
		return false;
	snprintf(launch, sizeof(launch), "%.*s", (int)strcspn(name + 5, "."), name + 5);
	return !launcher_is_alive(launch) && !(is_link && is_outlived(launch));
}

void launcher_sweep(void)
{
	char root[SESSION_PATH - 256], path[SESSION_PATH];
	DIR *dir = sessions_open(root, sizeof(root));
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s", root, d->d_name);
		if (!strncmp(d->d_name, "launch.", 7))
			while_free(path, remove_lock);
		else if (is_orphan(d->d_name))
			unlink(path);
	}
	if (dir)
		closedir(dir);
}

void launcher_said(const char *launch, const char *topic)
{
	char root[SESSION_PATH - 256], path[SESSION_PATH];
	int fd;

	sessions_root(root, sizeof(root));
	snprintf(path, sizeof(path), "%s/said.%s.%s", root, launch, topic);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
}

void launcher_delete(const char *launch)
{
	char root[SESSION_PATH - 256], said[96], path[SESSION_PATH];
	DIR *dir = sessions_open(root, sizeof(root));
	struct dirent *d;
	struct stat st;

	if (!*launch)
		goto out;
	snprintf(said, sizeof(said), "said.%s.", launch);
	while (dir && (d = readdir(dir)))
		if (!strncmp(d->d_name, said, strlen(said)))
			unlinkat(dirfd(dir), d->d_name, 0);
	launcher_link_path(launch, path, sizeof(path));
	if (!lstat(path, &st) && !is_outlived(launch))
		unlink(path);
	lock_path(launch, path, sizeof(path));
	unlink(path);
out:
	if (dir)
		closedir(dir);
	rmdir(root); /* unless others' sessions, or our own to recover, are there */
}
