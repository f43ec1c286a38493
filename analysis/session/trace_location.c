#include "analysis/session/trace_location.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/save_path.h"
#include "agent/format/trace_file.h"

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
static bool make_name_up(const struct session_status *st, struct trace_location *l)
{
	snprintf(l->final, sizeof(l->final), "%s/recovered-%u-%08x" TRACE_SUFFIX, st->save_path, st->pid,
		 (uint32_t)st->file_id);
	return is_usable(st, l->final, TRACE_SUFFIX);
}

/* The file being written, or the last one, or a name made up. */
bool trace_location_name(const struct session_status *st, struct trace_location *l)
{
	bool known = true;

	l->folder = -1;
	if (is_usable(st, st->file, TRACE_SUFFIX TRACE_PART))
		snprintf(l->final, sizeof(l->final), "%.*s", (int)(strlen(st->file) - strlen(TRACE_PART)), st->file);
	else if (is_usable(st, st->final, TRACE_SUFFIX))
		snprintf(l->final, sizeof(l->final), "%s", st->final);
	else
		known = make_name_up(st, l);
	snprintf(l->part, sizeof(l->part), "%.*s" TRACE_PART, (int)(sizeof(l->part) - sizeof(TRACE_PART)), l->final);
	return known;
}

int trace_location_open(struct trace_location *l, const char *save_path, bool make)
{
	const char *name;
	struct stat st;
	int fd;

	if (l->folder < 0)
		l->folder = save_path_open(save_path, l->part, make, &name);
	if (l->folder < 0)
		return l->folder;
	fd = openat(l->folder, base(l->part),
		    O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (make ? O_CREAT | O_EXCL : 0), 0600);
	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid())
		return fd;
	close(fd);
	return -EPERM;
}

bool trace_location_has(const struct trace_location *l, const char *path)
{
	return !faccessat(l->folder, base(path), F_OK, AT_SYMLINK_NOFOLLOW);
}

static int rename_to(const struct trace_location *l, const char *name)
{
	const char *from = base(l->part), *to = base(name);

	if (!renameat2(l->folder, from, l->folder, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	/* This file system cannot promise it. */
	if (trace_location_has(l, name))
		return -EEXIST;
	return renameat(l->folder, from, l->folder, to) ? -errno : 0;
}

int trace_location_keep(const struct trace_location *l, char *name, size_t size)
{
	int stem = (int)(strlen(l->final) - strlen(TRACE_SUFFIX)), err;

	snprintf(name, size, "%s", l->final);
	for (int n = 2; n < 100; n++) {
		err = rename_to(l, name);
		if (err != -EEXIST)
			return err;
		snprintf(name, size, "%.*s.%d" TRACE_SUFFIX, stem, l->final, n);
	}
	return -EEXIST;
}
