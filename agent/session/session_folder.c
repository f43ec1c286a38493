#include "agent/session/session_folder.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/base/text.h"
#include "agent/format/session_files.h"
#include "agent/session/log.h"

static char folder[SESSION_ROOT_SIZE + 64]; /* empty: no tmpfs */

bool session_folder_root(char *path, size_t size)
{
	const char *root = getenv("RANKTRACE_SESSION_ROOT");
	int n = snprintf(path, size, "%s-%u", root && *root ? root : SESSION_ROOT, (unsigned int)geteuid());

	return n >= 0 && (size_t)n < size;
}

/* A folder of ours alone. /dev/shm is open to all: what somebody else planted there is not used. */
static bool own_folder(const char *path)
{
	struct statx st;

	if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_MODE | STATX_UID, &st))
		return false;
	if (!S_ISDIR(st.stx_mode) || st.stx_uid != geteuid() || st.stx_mode & 077)
		return false;
	return (st.stx_mode & 0700) == 0700 || !chmod(path, 0700); /* the program's umask may take our own rights away */
}

/* Is that the status of a process of our pid namespace? In another one somebody else has our number. */
static bool is_of(const char *path, uint64_t pid_namespace)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	uint64_t its = 0;
	bool read;

	if (fd < 0)
		return false;
	read = pread(fd, &its, sizeof(its), offsetof(struct session_status, pid_namespace)) == sizeof(its);
	close(fd);
	return read && its == pid_namespace;
}

static void mark_executed(const char *path)
{
	uint32_t state = SESSION_EXECUTED;
	int fd = chmod(path, 0600) ? -1 : open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return;
	if (pwrite(fd, &state, sizeof(state), offsetof(struct session_status, state)) < 0)
		log_more("cannot mark %s as over", path);
	close(fd);
}

/* Without opendir(): it takes memory, and a signal handler's first call may have interrupted malloc. */
void session_folder_each(void (*look)(const char *path, void *argument), void *argument)
{
	struct entry {
		uint64_t inode, offset;
		unsigned short length;
		unsigned char type;
		char name[];
	};
	_Alignas(struct entry) char buffer[4096];
	char root[sizeof(folder)], path[sizeof(folder) + 256];
	long n;
	int fd;

	if (!folder[0])
		return;
	text_copy(root, sizeof(root), folder);
	*strrchr(root, '/') = '\0';
	fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (fd >= 0 && (n = syscall(SYS_getdents64, fd, buffer, sizeof(buffer))) > 0) {
		const struct entry *e;

		for (long at = 0; at < n; at += e->length) {
			e = (const void *)(buffer + at);
			if (e->name[0] == '.') /* what lies above is anybody's */
				continue;
			snprintf(path, sizeof(path), "%s/%s", root, e->name);
			look(path, argument);
		}
	}
	if (fd >= 0)
		close(fd);
}

/* What an earlier image of this very process left, before exec, is over: recovery may have it. */
static void end_if_earlier(const char *path, void *pid_namespace)
{
	char begin[sizeof(folder)], status[512];

	text_copy(begin, sizeof(begin), folder);
	strrchr(begin, '-')[1] = '\0'; /* pid and start time */
	if (!text_starts(path, begin) || text_equal(path, folder))
		return;
	snprintf(status, sizeof(status), "%s/status.0", path);
	if (is_of(status, *(const uint64_t *)pid_namespace))
		mark_executed(status);
}

#define ROOM_FOR_OTHERS (512ull << 20)

/*
 * What we may take of a tmpfs that the program's data loaders fill too, and that may be small: never more
 * than an eighth, and however many ranks start, a half is not touched.
 */
static uint64_t share_of(uint64_t size, uint64_t free)
{
	uint64_t others = size / 2 < ROOM_FOR_OTHERS ? size / 2 : ROOM_FOR_OTHERS;
	uint64_t share = free > others ? (free - others) / 4 : 0;

	return share < size / 8 ? share : size / 8;
}

static bool make_once(uint64_t start_time, uint32_t random, struct statfs *fs)
{
	size_t n;

	errno = 0;
	if (!session_folder_root(folder, SESSION_ROOT_SIZE) || (mkdir(folder, 0700) && errno != EEXIST) ||
	    !own_folder(folder) || statfs(folder, fs))
		return false;
	n = strlen(folder);
	snprintf(folder + n, sizeof(folder) - n, "/%d-%llu-%08x", (int)getpid(), (unsigned long long)start_time, random);
	return !mkdir(folder, 0700) && own_folder(folder);
}

/* A launcher that ends meanwhile removes the empty folder around ours. */
static bool make(uint64_t start_time, uint32_t random, struct statfs *fs)
{
	for (int tries = 0; tries < 10; tries++) {
		if (make_once(start_time, random, fs))
			return true;
		if (errno != ENOENT)
			return false;
	}
	return false;
}

uint64_t session_folder_make(uint64_t start_time, uint64_t pid_namespace, uint32_t random)
{
	struct statfs fs;

	if (!make(start_time, random, &fs)) {
		folder[0] = '\0';
		return 0;
	}
	session_folder_each(end_if_earlier, &pid_namespace);
	return share_of((uint64_t)fs.f_blocks * fs.f_bsize, (uint64_t)fs.f_bavail * fs.f_bsize);
}

bool session_folder_path(char *path, size_t size, const char *name, unsigned int number)
{
	if (!folder[0])
		return false;
	snprintf(path, size, "%s/%s.%u", folder, name, number);
	return true;
}

/* Its name stays: a thread that makes a buffer beside the exit reads it, and finds that the folder is not there. */
void session_folder_remove(void)
{
	if (folder[0])
		rmdir(folder);
}

void session_folder_forget(void)
{
	folder[0] = '\0';
}
