#include "agent/steps/published.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include "agent/base/process.h"
#include "agent/os/apart.h"
#include "agent/os/clock.h"
#include "agent/os/slow_path.h"
#include "agent/session/session.h"
#include "agent/session/session_folder.h"

struct newest {
	uint64_t at; /* 0: none */
	int64_t step;
};

static struct newest taken; /* what an older one says is over, though it lives longer */

/* The step before its time, and read behind it: never an old one with a new time. */
void published_tell(int64_t step)
{
	atomic_store(&session->next_step, step);
	atomic_store(&session->next_step_at, clock_now_ns());
}

static bool read_at(int fd, size_t offset, void *to, size_t size)
{
	return pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}
#define READ(fd, field, to) read_at(fd, offsetof(struct session_status, field), to, sizeof(session->field))

static bool same_text(int fd, size_t offset, const char *ours, size_t size)
{
	char its[sizeof(session->save_path)];

	return read_at(fd, offset, its, size) && !strncmp(its, ours, size);
}
#define SAME_TEXT(fd, field) same_text(fd, offsetof(struct session_status, field), session->field, sizeof(session->field))

static bool is_of_our_run(int fd)
{
	return SAME_TEXT(fd, launch) && SAME_TEXT(fd, job) && SAME_TEXT(fd, save_path);
}

/* What a killed process left stays there until somebody recovers it. */
static bool lives(int fd)
{
	uint64_t namespace, start;
	uint32_t pid;

	return READ(fd, pid_namespace, &namespace) && namespace == session->pid_namespace && READ(fd, pid, &pid) &&
	       READ(fd, start_time, &start) && process_start_time(pid) == start;
}

/* The time first: see published_tell(). */
static bool read_number(int fd, struct newest *its)
{
	uint32_t magic;

	return READ(fd, magic, &magic) && magic == SESSION_MAGIC && READ(fd, next_step_at, &its->at) && READ(fd, next_step, &its->step);
}

static void take_if_newer(const char *path, void *newest)
{
	struct newest *n = newest, its;
	char status[512];
	int fd;

	snprintf(status, sizeof(status), "%s/status.0", path);
	fd = open(status, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (read_number(fd, &its) && its.at > n->at && is_of_our_run(fd) && lives(fd))
		*n = its;
	close(fd);
}

static void look_at_all(void *newest)
{
	session_folder_each(take_if_newer, newest);
}

bool published_find(int64_t *step)
{
	struct slow_path guard = slow_path_begin();
	struct newest newest = { 0 };

	apart_run(look_at_all, &newest);
	slow_path_end(guard);
	if (newest.at > taken.at)
		taken = newest;
	*step = taken.step;
	return newest.at;
}

void published_forget(void)
{
	taken.at = 0;
}
