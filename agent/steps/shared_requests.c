#include "agent/steps/shared_requests.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "agent/base/save_path.h"
#include "agent/os/apart.h"
#include "agent/os/clock.h"
#include "agent/os/threads.h"
#include "agent/session/session.h"

#define LOOK_NS 1000000000ull

static uint64_t looked;	     /* CLOCK_MONOTONIC, ns; 0: never */
static _Atomic bool reading; /* a thread does, and has what is below */
static struct session_request found[REQUEST_SLOTS];
static bool was_read;			   /* found is what stood there */
static bool is_new;			   /* it was written while this process ran */
static uint32_t taken[REQUEST_SLOTS], met; /* by their numbers; met: bits of slots of which one is known */

/* ---- by a thread of its own ---- */

#define SECOND 1000000000ll /* ns */

/* When this process began, as files tell time: seconds since the Unix epoch. */
static int64_t began(void)
{
	struct timespec now, since_boot;
	int64_t booted;

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &since_boot);
	booted = (now.tv_sec - since_boot.tv_sec) * SECOND + now.tv_nsec - since_boot.tv_nsec;
	return (booted + (int64_t)session->start_time * (SECOND / sysconf(_SC_CLK_TCK))) / SECOND;
}

/* A file of the job's user, which nobody else may write, as long as it must be. */
static bool is_ours(int fd)
{
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_TYPE | STATX_MODE | STATX_UID | STATX_NLINK | STATX_SIZE | STATX_MTIME, &st))
		return false;
	is_new = st.stx_mtime.tv_sec >= began();
	return S_ISREG(st.stx_mode) && st.stx_uid == geteuid() && st.stx_nlink == 1 && !(st.stx_mode & 022) && st.stx_size == sizeof(found);
}

static void read_file(void *unused)
{
	char path[sizeof(session->save_path) + sizeof(session->job) + sizeof(SHARED_REQUESTS) + 2];
	const char *base;
	int folder, fd;

	(void)unused;
	snprintf(path, sizeof(path), "%s/%s/%s", session->save_path, session->job, SHARED_REQUESTS);
	folder = save_path_open(session->save_path, path, false, &base);
	fd = folder < 0 ? -1 : openat(folder, base, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || !is_ours(fd) || pread(fd, found, sizeof(found), 0) != sizeof(found))
		memset(found, 0, sizeof(found));
	if (fd >= 0)
		close(fd);
	if (folder >= 0)
		save_path_leave(folder);
	was_read = true;
}

static void *reader(void *unused)
{
	apart_run(read_file, unused);
	atomic_store(&reading, false);
	return NULL;
}

/* ---- at a boundary ---- */

void shared_requests_look(void)
{
	uint64_t now;

	if (atomic_load(&reading))
		return;
	now = clock_now_ns();
	if (looked && now - looked < LOOK_NS)
		return;
	looked = now;
	atomic_store(&reading, true);
	if (threads_start(reader))
		atomic_store(&reading, false);
}

bool shared_requests_take(enum request_slot slot, struct session_request *r)
{
	bool known = met >> slot & 1;

	if (atomic_load(&reading) || !was_read || (known && found[slot].number == taken[slot]))
		return false;
	met |= 1u << slot;
	taken[slot] = found[slot].number;
	*r = found[slot];
	return known || is_new; /* what an earlier run of the job was asked is none of ours */
}

void shared_requests_forget(void)
{
	looked = 0;
	atomic_store(&reading, false);
	was_read = is_new = false;
	met = 0;
}
