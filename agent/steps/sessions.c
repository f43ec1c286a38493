#include "agent/steps/sessions.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include "agent/base/process.h"
#include "agent/os/apart.h"
#include "agent/os/slow_path.h"
#include "agent/session/session.h"
#include "agent/session/session_folder.h"

struct visit {
	void (*look)(int fd, void *argument);
	void *argument;
};

bool session_read(int fd, size_t offset, void *to, size_t size)
{
	return pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}

static bool same_text(int fd, size_t offset, const char *ours, size_t size)
{
	char its[sizeof(session->save_path)];

	return session_read(fd, offset, its, size) && !strncmp(its, ours, size);
}
#define SAME_TEXT(fd, field) same_text(fd, offsetof(struct session_status, field), session->field, sizeof(session->field))

static bool lives(int fd)
{
	uint64_t namespace, start;
	uint32_t pid;

	return SESSION_READ(fd, pid_namespace, &namespace) && namespace == session->pid_namespace && SESSION_READ(fd, pid, &pid) &&
	       SESSION_READ(fd, start_time, &start) && process_start_time(pid) == start;
}

bool session_is_of_run(int fd)
{
	return SAME_TEXT(fd, launch) && SAME_TEXT(fd, job) && SAME_TEXT(fd, save_path) && lives(fd);
}

static void visit_one(const char *path, void *visit)
{
	const struct visit *v = visit;
	char status[512];
	uint32_t magic;
	int fd;

	snprintf(status, sizeof(status), "%s/status.0", path);
	fd = open(status, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (SESSION_READ(fd, magic, &magic) && magic == SESSION_MAGIC)
		v->look(fd, v->argument);
	close(fd);
}

static void visit_all(void *visit)
{
	session_folder_each(visit_one, visit);
}

void sessions_each(void (*look)(int fd, void *argument), void *argument)
{
	struct slow_path guard = slow_path_begin();
	struct visit visit = { look, argument };

	apart_run(visit_all, &visit);
	slow_path_end(guard);
}
