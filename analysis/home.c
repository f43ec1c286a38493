#include "analysis/home.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/place.h"

static bool ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a > b && !strcmp(text + a - b, end);
}

static const char *base(const char *path)
{
	return strrchr(path, '/') + 1;
}

bool home_name(const struct session_status *st, struct home *h)
{
	h->folder = -1;
	snprintf(h->final, sizeof(h->final), "%s", st->final);
	snprintf(h->part, sizeof(h->part), "%s" TRACE_PART, st->final);
	if (st->file[0]) {
		snprintf(h->part, sizeof(h->part), "%s", st->file);
		if (!ends_with(h->part, TRACE_SUFFIX TRACE_PART))
			return false;
		snprintf(h->final, sizeof(h->final), "%.*s",
			 (int)(strlen(h->part) - strlen(TRACE_PART)), h->part);
	}
	return h->final[0] == '/' && ends_with(h->final, TRACE_SUFFIX);
}

int home_open(struct home *h, const char *save_path, bool make)
{
	const char *name;
	struct stat st;
	int fd;

	if (h->folder < 0)
		h->folder = place_open(save_path, h->part, make, &name);
	if (h->folder < 0)
		return h->folder;
	fd = openat(h->folder, base(h->part),
		    O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (make ? O_CREAT | O_EXCL : 0), 0600);
	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid())
		return fd;
	close(fd);
	return -EPERM;
}

bool home_has(const struct home *h, const char *path)
{
	return !faccessat(h->folder, base(path), F_OK, AT_SYMLINK_NOFOLLOW);
}

static int rename_to(const struct home *h, const char *name)
{
	const char *from = base(h->part), *to = base(name);

	if (!renameat2(h->folder, from, h->folder, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	/* This file system cannot promise it. */
	if (home_has(h, name))
		return -EEXIST;
	return renameat(h->folder, from, h->folder, to) ? -errno : 0;
}

int home_keep(const struct home *h, char *name, size_t size)
{
	int stem = (int)(strlen(h->final) - strlen(TRACE_SUFFIX)), err;

	snprintf(name, size, "%s", h->final);
	for (int n = 2; n < 100; n++) {
		err = rename_to(h, name);
		if (err != -EEXIST)
			return err;
		snprintf(name, size, "%.*s.%d" TRACE_SUFFIX, stem, h->final, n);
	}
	return -EEXIST;
}
