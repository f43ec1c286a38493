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

static int open_status(const char *path)
{
	char status[512];

	snprintf(status, sizeof(status), "%s/status.0", path);
	return open(status, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static void take_if_newer(const char *path, void *newest)
{
	struct newest *n = newest, its;
	int fd = open_status(path);

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

/* ---- the replica ---- */

#define ANCESTORS 16

struct ancestors {
	uint32_t pid[ANCESTORS]; /* the nearest first */
	unsigned int count;	 /* of them to be asked still: those that are nearer than who has told */
	int64_t replica;
};

static void find_ancestors(struct ancestors *a)
{
	for (uint32_t pid = process_parent((uint32_t)getpid()); pid > 1 && a->count < ANCESTORS; pid = process_parent(pid))
		a->pid[a->count++] = pid;
}

static void take_if_nearer(int fd, struct ancestors *a)
{
	uint32_t magic, pid;
	int64_t replica;

	if (!READ(fd, magic, &magic) || magic != SESSION_MAGIC || !READ(fd, replica, &replica) || replica < 0 || !READ(fd, pid, &pid))
		return;
	for (unsigned int i = 0; i < a->count; i++)
		if (a->pid[i] == pid && is_of_our_run(fd) && lives(fd)) {
			a->replica = replica;
			a->count = i;
		}
}

static void ask_ancestor(const char *path, void *ancestors)
{
	int fd = open_status(path);

	if (fd < 0)
		return;
	take_if_nearer(fd, ancestors);
	close(fd);
}

static void ask_ancestors(void *ancestors)
{
	find_ancestors(ancestors);
	session_folder_each(ask_ancestor, ancestors);
}

bool published_replica(int64_t *replica)
{
	struct slow_path guard = slow_path_begin();
	struct ancestors ancestors = { .replica = -1 };

	apart_run(ask_ancestors, &ancestors);
	slow_path_end(guard);
	*replica = ancestors.replica;
	return ancestors.replica >= 0;
}

void published_forget(void)
{
	taken.at = 0;
}
