#include "analysis/session/trace_location.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/save_path.h"

static bool ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a > b && !strcmp(text + a - b, end);
}

static const char *base(const char *path)
{
	return strrchr(path, '/') + 1;
}

/* save_path may go up on its way, as the user wrote it; what is below it may not. */
static bool is_usable(const struct session_status *st, const char *path, const char *end)
{
	size_t n = strlen(st->save_path);

	return path[0] == '/' && ends_with(path, end) && !strncmp(path, st->save_path, n) &&
	       path[n] == '/' && !strstr(path + n, "/../");
}

/* A name of our making where the session's cannot be used. False: not even a folder is known. */
static bool make_name_up(const struct session_status *st, struct home *h)
{
	snprintf(h->final, sizeof(h->final), "%s/recovered-%u-%08x" TRACE_SUFFIX, st->save_path, st->pid,
		 (uint32_t)st->file_id);
	return is_usable(st, h->final, TRACE_SUFFIX);
}

/* The file being written, or the last one, or a name made up. */
bool home_name(const struct session_status *st, struct home *h)
{
	bool known = true;

	h->folder = -1;
	if (is_usable(st, st->file, TRACE_SUFFIX TRACE_PART))
		snprintf(h->final, sizeof(h->final), "%.*s", (int)(strlen(st->file) - strlen(TRACE_PART)), st->file);
	else if (is_usable(st, st->final, TRACE_SUFFIX))
		snprintf(h->final, sizeof(h->final), "%s", st->final);
	else
		known = make_name_up(st, h);
	snprintf(h->part, sizeof(h->part), "%.*s" TRACE_PART, (int)(sizeof(h->part) - sizeof(TRACE_PART)), h->final);
	return known;
}

int home_open(struct home *h, const char *save_path, bool make)
{
	const char *name;
	struct stat st;
	int fd;

	if (h->folder < 0)
		h->folder = save_path_open(save_path, h->part, make, &name);
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
