#include "agent/base/save_path.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "agent/base/text.h"

/* Somebody else who may write the folder may swap our files: only root's and our own will do. */
static int trusted(int fd)
{
	struct statx st;

	if (fd < 0)
		return -errno;
	if (!statx(fd, "", AT_EMPTY_PATH, STATX_MODE | STATX_UID, &st) &&
	    (st.stx_uid == geteuid() || st.stx_uid == 0) &&
	    (!(st.stx_mode & 022) || st.stx_mode & S_ISVTX))
		return fd;
	close(fd);
	return -EPERM;
}

/* For its owner alone, who may use it whatever the program's umask says. 0 or a negative errno. */
static int make_folder(int at, const char *name)
{
	struct statx st;

	if (mkdirat(at, name, 0700))
		return -errno;
	if (!statx(at, name, AT_SYMLINK_NOFOLLOW, STATX_TYPE | STATX_MODE, &st) && S_ISDIR(st.stx_mode) &&
	    (st.stx_mode & 0700) != 0700)
		fchmodat(at, name, 0700, 0);
	return 0;
}

/* Where it could not be made: why it is not there. EPERM is ours, to say that it will not do. */
static int with_reason(int fd, int made)
{
	return fd != -ENOENT || !made ? fd : made == -EPERM ? -EACCES
							    : made;
}

static int open_save_path(const char *save_path, bool make)
{
	char path[1024];
	int made, fd;

	if (!text_copy(path, sizeof(path), save_path))
		return -ENOENT;
	for (char *c = path + 1; make && *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		make_folder(AT_FDCWD, path);
		*c = '/';
	}
	made = make ? make_folder(AT_FDCWD, path) : 0;
	fd = trusted(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	return with_reason(fd, made);
}

void save_path_leave(int folder)
{
	struct statx st;

	if (!statx(folder, "", AT_EMPTY_PATH, STATX_TYPE, &st) && S_ISDIR(st.stx_mode))
		close(folder);
}

static int step_into(int folder, const char *name, bool make)
{
	int made = make ? make_folder(folder, name) : 0, fd;

	fd = trusted(openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	save_path_leave(folder);
	return with_reason(fd, made);
}

/* Copies the next name of the path; false if it is none that we would give: empty, hidden, "..". */
static bool take_name(const char **path, char name[256])
{
	size_t length = (size_t)(strchr(*path, '/') - *path);

	if (!length || length > 255 || **path == '.')
		return false;
	text_copy(name, length + 1, *path);
	*path += length + 1;
	return true;
}

int save_path_open(const char *save_path, const char *path, bool make, const char **base)
{
	size_t length = strlen(save_path);
	char name[256];
	int folder;

	if (!text_starts(path, save_path) || path[length] != '/')
		return -EPERM;
	*base = path + length + 1;
	folder = open_save_path(save_path, make);
	while (folder >= 0 && strchr(*base, '/')) {
		if (take_name(base, name)) {
			folder = step_into(folder, name, make);
		} else {
			save_path_leave(folder);
			folder = -EPERM;
		}
	}
	return folder;
}
