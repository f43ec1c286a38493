#include "analysis/session/request.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/crc32c.h"

static bool is_ours(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1 && !(st.st_mode & 077) &&
	       st.st_size >= (off_t)SESSION_BYTES(0);
}

/* A folder of the same name may be another process's by now. */
static bool is_same(int fd, const struct session_status *as)
{
	uint64_t file_id;
	uint32_t magic;

	return pread(fd, &magic, sizeof(magic), offsetof(struct session_status, magic)) == sizeof(magic) && magic == SESSION_MAGIC &&
	       pread(fd, &file_id, sizeof(file_id), offsetof(struct session_status, file_id)) == sizeof(file_id) && file_id == as->file_id;
}

/* The file may be read only, so that no cleaner makes it shorter under who has mapped it: for us alone it is more for a moment. */
static int open_again(int fd)
{
	char path[64];
	int again;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fchmod(fd, 0600))
		return -1;
	again = open(path, O_RDWR | O_CLOEXEC);
	fchmod(fd, 0400);
	return again;
}

static enum request_slot slot_of(const struct session_request *r)
{
	return r->kind == REQUEST_MARK ? REQUEST_OF_MARK : REQUEST_OF_WINDOW;
}

static uint32_t sum_of(const struct session_request *r)
{
	return crc32c(0, r, offsetof(struct session_request, crc));
}

static void seal(struct session_request *r, uint32_t number)
{
	r->number = number;
	r->crc = sum_of(r);
}

bool request_is_whole(const struct session_request *r)
{
	return r->crc == sum_of(r);
}

/* What is asked before the word that says so: see requests_take(). */
static bool put(int fd, struct session_request *r)
{
	uint32_t asked;
	size_t at;

	if (pread(fd, &asked, sizeof(asked), offsetof(struct session_status, asked)) != sizeof(asked))
		return false;
	at = offsetof(struct session_status, request) + slot_of(r) * sizeof(*r);
	seal(r, asked + 1);
	return pwrite(fd, r, sizeof(*r), (off_t)at) == sizeof(*r) &&
	       pwrite(fd, &r->number, sizeof(r->number), offsetof(struct session_status, asked)) == sizeof(r->number);
}

/* Two who ask at once do so one behind the other. */
static int write_locked(int fd, struct session_request *r)
{
	int again = flock(fd, LOCK_EX) ? -1 : open_again(fd), err = 0;

	if (again < 0)
		return -errno;
	errno = EIO;
	if (!put(again, r))
		err = -errno;
	close(again);
	return err;
}

int request_write(const struct session_entry *e, struct session_request *r)
{
	char path[SESSION_PATH + 16];
	int fd, err;

	snprintf(path, sizeof(path), "%s/status.0", e->path);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (!is_ours(fd))
		err = -EPERM;
	else if (!is_same(fd, e->status))
		err = -ESTALE;
	else
		err = write_locked(fd, r);
	close(fd);
	return err;
}

/* ---- on several hosts ---- */

/* What was asked last, or nothing. */
static void read_shared(const char *path, struct session_request all[REQUEST_SLOTS])
{
	const size_t size = REQUEST_SLOTS * sizeof(*all);
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || read(fd, all, size) != (ssize_t)size)
		memset(all, 0, size);
	if (fd >= 0)
		close(fd);
}

/* Nobody reads half of it: it is another file each time. */
static int replace(const char *path, const struct session_request all[REQUEST_SLOTS])
{
	const size_t size = REQUEST_SLOTS * sizeof(*all);
	char made[4096];
	int fd, err = 0;

	if (snprintf(made, sizeof(made), "%s.XXXXXX", path) >= (int)sizeof(made))
		return -ENAMETOOLONG;
	fd = mkostemp(made, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	errno = EIO;
	if (write(fd, all, size) != (ssize_t)size || fsync(fd) || rename(made, path))
		err = -errno;
	close(fd);
	if (err)
		unlink(made);
	return err;
}

/* They look at it once a second: what was asked just now stands that long before something else takes its place. */
static void let_stand(const char *path, const struct session_request *before)
{
	const int64_t most = 2000000;
	struct timespec now;
	struct stat st;
	int64_t stood;

	if (!before->number || stat(path, &st))
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	stood = (now.tv_sec - st.st_mtim.tv_sec) * 1000000 + (now.tv_nsec - st.st_mtim.tv_nsec) / 1000;
	if (stood >= 0 && stood < most)
		usleep((useconds_t)(most - stood));
}

/* Two who ask at once do so one behind the other, where the file system can see to it. */
int request_share(const char *folder, struct session_request *r)
{
	struct session_request all[REQUEST_SLOTS];
	struct timespec now;
	char path[4096];
	int lock, err;

	if (snprintf(path, sizeof(path), "%s/%s", folder, SHARED_REQUESTS) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock >= 0)
		flock(lock, LOCK_EX);
	read_shared(path, all);
	let_stand(path, &all[slot_of(r)]);
	clock_gettime(CLOCK_REALTIME, &now);
	seal(r, (uint32_t)now.tv_nsec ^ (uint32_t)now.tv_sec << 8); /* another than before */
	all[slot_of(r)] = *r;
	err = replace(path, all);
	if (lock >= 0)
		close(lock);
	return err;
}
