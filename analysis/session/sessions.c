/* sessions.c - finds sessions in tmpfs, and whether their processes live. */
#include "analysis/session/sessions.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/process.h"
#include "agent/format/trace_file.h"
#include "analysis/util/alloc.h"
#include "analysis/util/trace_paths.h"

void sessions_root(char *path, size_t size)
{
	const char *root = getenv("RANKTRACE_SESSION_ROOT");

	snprintf(path, size, "%s-%u", root && *root ? root : SESSION_ROOT, (unsigned int)geteuid());
}

DIR *sessions_open(char *root, size_t size)
{
	DIR *dir;
	struct stat st;
	int fd;

	sessions_root(root, size);
	fd = open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || st.st_uid != geteuid() || (st.st_mode & 077)) {
		close(fd);
		return NULL;
	}
	dir = fdopendir(fd);
	if (!dir)
		close(fd);
	return dir;
}

int sessions_possible(const char *root)
{
	char parent[SESSION_PATH];
	struct stat st;

	if (strlen(root) >= SESSION_ROOT_SIZE)
		return -ENAMETOOLONG;
	if (!lstat(root, &st))
		return S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077) ? 0 : -EPERM;
	if (errno != ENOENT)
		return -errno;
	snprintf(parent, sizeof(parent), "%s", root);
	*strrchr(parent, '/') = '\0';
	return access(*parent ? parent : "/", W_OK | X_OK) ? -errno : 0;
}

static uint64_t own_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
}

/* foreign: it is of another release. */
static struct session_status *read_status(const char *path, bool *foreign)
{
	struct session_status *s = alloc_zero(1, sizeof(*s));
	char name[SESSION_PATH + 16];
	ssize_t n;
	int fd;

	snprintf(name, sizeof(name), "%s/status.0", path);
	fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, s, sizeof(*s));
	if (fd >= 0)
		close(fd);
	if (n >= (ssize_t)SESSION_BYTES(0) && s->magic == SESSION_MAGIC && s->major == TRACE_MAJOR &&
	    n >= (ssize_t)SESSION_BYTES(s->hooks < HOOKS_MOST ? s->hooks : HOOKS_MOST))
		return s;
	*foreign = n >= (ssize_t)sizeof(s->magic) && s->magic != SESSION_MAGIC && !((s->magic ^ SESSION_MAGIC) & SESSION_FAMILY);
	free(s);
	return NULL;
}

bool sessions_pid_is_free(uint32_t pid)
{
	return kill((pid_t)pid, 0) ? errno == ESRCH : !process_start_time(pid);
}

/* A dead process may have been killed in the middle of a text. */
static void end_texts(struct session_status *s)
{
	s->host[sizeof(s->host) - 1] = s->job[sizeof(s->job) - 1] = '\0';
	s->launch[sizeof(s->launch) - 1] = s->rank_source[sizeof(s->rank_source) - 1] = '\0';
	s->worker_group[sizeof(s->worker_group) - 1] = '\0';
	s->step_source[sizeof(s->step_source) - 1] = s->steps[sizeof(s->steps) - 1] = '\0';
	s->ranks[sizeof(s->ranks) - 1] = s->save_path[sizeof(s->save_path) - 1] = '\0';
	s->schedule[sizeof(s->schedule) - 1] = '\0';
	s->file[sizeof(s->file) - 1] = s->final[sizeof(s->final) - 1] = '\0';
	s->libraries[sizeof(s->libraries) - 1] = s->facts[sizeof(s->facts) - 1] = '\0';
	s->sources[sizeof(s->sources) - 1] = s->packages[sizeof(s->packages) - 1] = '\0';
	s->waited_for[sizeof(s->waited_for) - 1] = '\0';
	for (unsigned int i = 0; i < STAGES_HEARD; i++)
		s->stages[i].role[sizeof(s->stages[i].role) - 1] = '\0';
	s->note[sizeof(s->note) - 1] = s->unsaid[sizeof(s->unsaid) - 1] = '\0';
	if (s->hooks > HOOKS_MOST)
		s->hooks = HOOKS_MOST;
}

/* The last number of the line NSpid: what the process is called in its own pid namespace. */
static uint32_t inner_pid(uint32_t pid)
{
	char path[64], line[256];
	uint32_t inner = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		const char *last = strrchr(line, '\t');

		if (!strncmp(line, "NSpid:", 6) && last)
			inner = (uint32_t)strtoul(last + 1, NULL, 10);
	}
	if (f)
		fclose(f);
	return inner;
}

/* Is this the process that the session speaks of? What cannot be told counts as yes. */
static bool is_it(uint32_t pid, const struct session_status *s)
{
	char path[64];
	struct stat st;

	if (inner_pid(pid) != s->pid || process_start_time(pid) != s->start_time)
		return false;
	snprintf(path, sizeof(path), "/proc/%u/ns/pid", pid);
	return stat(path, &st) || st.st_ino == s->pid_namespace;
}

/* Of a pid namespace below our own: /proc shows its processes, under numbers of ours. */
static bool is_alive_elsewhere(const struct session_status *s)
{
	DIR *proc = opendir("/proc");
	bool alive = !proc;
	struct dirent *d;

	while (!alive && (d = readdir(proc)))
		if (*d->d_name >= '1' && *d->d_name <= '9')
			alive = is_it((uint32_t)strtoul(d->d_name, NULL, 10), s);
	if (proc)
		closedir(proc);
	return alive;
}

#define FIRST_NAMESPACE 0xEFFFFFFCu /* the kernel's PROC_PID_INIT_INO: whoever is in it sees every process */

static bool is_alive(const struct session_status *s)
{
	uint64_t own = own_namespace();

	if (!s->pid_namespace || s->pid_namespace == own)
		return process_start_time(s->pid) == s->start_time;
	return own != FIRST_NAMESPACE || is_alive_elsewhere(s);
}

static void add(struct sessions *s, struct session_status *status, const char *path)
{
	struct session_entry *e;

	end_texts(status);
	s->list = alloc_grow(s->list, s->count + 1, sizeof(*s->list));
	e = &s->list[s->count++];
	*e = (struct session_entry){ .status = status, .alive = is_alive(status) };
	memcpy(e->path, path, sizeof(e->path));
}

/* Its folder's name is all that is known of it: <pid>-<start time>-<random>. */
static void add_foreign(struct sessions *s, const char *name, const char *path)
{
	struct foreign_session *f;
	unsigned long long start = 0;
	unsigned int pid = 0;

	if (sscanf(name, "%u-%llu-", &pid, &start) != 2)
		return;
	s->foreign = alloc_grow(s->foreign, s->foreign_count + 1, sizeof(*s->foreign));
	f = &s->foreign[s->foreign_count++];
	*f = (struct foreign_session){ .pid = pid, .alive = process_start_time(pid) == start };
	memcpy(f->path, path, sizeof(f->path));
}

void sessions_read(struct sessions *s)
{
	char root[SESSION_PATH - 256];
	DIR *dir = sessions_open(root, sizeof(root));
	struct session_status *status;
	struct dirent *d;
	char path[SESSION_PATH];

	*s = (struct sessions){ 0 };
	while (dir && (d = readdir(dir))) {
		bool foreign = false;

		if (*d->d_name < '0' || *d->d_name > '9')
			continue;
		snprintf(path, sizeof(path), "%s/%s", root, d->d_name);
		status = read_status(path, &foreign);
		if (status)
			add(s, status, path);
		else if (foreign)
			add_foreign(s, d->d_name, path);
	}
	if (dir)
		closedir(dir);
}

const struct session_entry *sessions_of_file(const struct sessions *s, uint64_t file_id)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].status->file_id == file_id)
			return &s->list[i];
	return NULL;
}

void sessions_free(struct sessions *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].status);
	free(s->list);
	free(s->foreign);
	*s = (struct sessions){ 0 };
}

bool session_is_over(const struct session_entry *s)
{
	/* After exec the process lives on under the same number, but not this session of it. */
	return !s->alive || s->status->state == SESSION_ENDED ||
	       s->status->state == SESSION_EXECUTED;
}

bool session_has_left(const struct session_entry *s)
{
	return !s->alive && s->status->state == SESSION_LEFT;
}

bool session_traces_into(const struct session_entry *s, const char *folder)
{
	char job[sizeof(s->status->save_path) + sizeof(s->status->job)];

	snprintf(job, sizeof(job), "%s/%s", s->status->save_path, s->status->job);
	return trace_paths_same(folder, s->status->save_path) || trace_paths_same(folder, job);
}

void session_delete(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (strcmp(d->d_name, ".") && strcmp(d->d_name, ".."))
			unlinkat(dirfd(dir), d->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(path);
}
