#include "analysis/util/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/util/alloc.h"
#include "analysis/util/progress.h"

#define PIPE (1u << 20) /* bytes, if we may: whoever reads need not wait for whoever shows */

struct shared {
	_Atomic size_t next; /* of r->wanted */
	size_t at[];	     /* by fork: what it reads */
};

struct fork_of {
	pid_t pid; /* 0: none */
	int from;  /* records, each behind its size */
	int said;  /* its stderr */
};

struct crew {
	const struct crew_work *work;
	struct shared *shared;
	pid_t parent;
	unsigned int size;
	struct fork_of *list;
	bool *taken; /* by number */
	size_t taken_count;
	uint8_t *room; /* a record */
	size_t room_size;
};

/* ---- in a fork ---- */

static void send_all(int to, const void *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(to, bytes, size);

		if (n < 0 && errno != EINTR)
			_exit(0); /* nobody waits for it any more */
		bytes = (const uint8_t *)bytes + (n > 0 ? n : 0);
		size -= n > 0 ? (size_t)n : 0;
	}
}

static void work(struct crew *c, unsigned int own, int to)
{
	const struct crew_work *w = c->work;
	size_t next;

	alloc_keep_room();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != c->parent)
		_exit(0);
	if (c->list[own].said >= 0)
		dup2(c->list[own].said, STDERR_FILENO);
	while ((next = atomic_fetch_add(&c->shared->next, 1)) < w->count) {
		struct parcel record = { 0 };

		c->shared->at[own] = next;
		w->make(w->context, next, c->list[own].said, &record);
		send_all(to, &next, sizeof(next));
		send_all(to, &record.used, sizeof(record.used));
		send_all(to, record.bytes, record.used);
		free(record.bytes);
	}
	_exit(0);
}

/* ---- here ---- */

/* False: there is no room for one more. */
static bool start(struct crew *c, unsigned int own)
{
	struct fork_of *one = &c->list[own];
	int records[2];

	c->shared->at[own] = SIZE_MAX;
	if (pipe2(records, O_CLOEXEC))
		return false;
	fcntl(records[1], F_SETPIPE_SZ, PIPE);
	one->pid = fork();
	if (!one->pid) {
		close(records[0]);
		work(c, own, records[1]);
	}
	close(records[1]);
	one->from = records[0];
	if (one->pid > 0)
		return true;
	close(one->from);
	one->pid = 0;
	return false;
}

static bool receive_all(int from, void *bytes, size_t size)
{
	while (size) {
		ssize_t n = read(from, bytes, size);

		if (!n || (n < 0 && errno != EINTR))
			return false;
		bytes = (uint8_t *)bytes + (n > 0 ? n : 0);
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* The next record, in the room. False: there is none. */
static bool receive(struct crew *c, const struct fork_of *one, size_t *number, size_t *size)
{
	if (!receive_all(one->from, number, sizeof(*number)) || !receive_all(one->from, size, sizeof(*size)))
		return false;
	if (*size > c->room_size) {
		c->room = alloc_grow(c->room, *size, 1);
		c->room_size = *size;
	}
	return receive_all(one->from, c->room, *size);
}

static void lose(struct crew *c, size_t number, const char *why)
{
	if (number >= c->work->count || c->taken[number])
		return;
	c->taken[number] = true;
	c->work->lost(c->work->context, number, why);
}

/* It sends no more. What it did then, and did not come here, did harm to it. False: it did nothing. */
static bool let_end(struct crew *c, unsigned int own)
{
	struct fork_of *one = &c->list[own];
	size_t at = c->shared->at[own];
	char *said = crew_said(one->said), why[64];
	int status = 0;

	close(one->from);
	while (waitpid(one->pid, &status, 0) < 0 && errno == EINTR)
		;
	one->pid = 0;
	if (said && at < c->work->count && !c->taken[at])
		fputs(said, stderr);
	snprintf(why, sizeof(why), WIFSIGNALED(status) ? "whoever read it was ended by signal %d" : "whoever read it ended with status %d",
		 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	lose(c, at, why);
	free(said);
	return at < c->work->count;
}

static void hear(struct crew *c, unsigned int own)
{
	size_t number, size;

	if (receive(c, &c->list[own], &number, &size)) {
		if (number >= c->work->count || c->taken[number])
			return;
		c->taken[number] = true;
		c->taken_count++;
		c->work->take(c->work->context, number, c->room, size);
		return;
	}
	if (let_end(c, own) && atomic_load(&c->shared->next) < c->work->count)
		start(c, own);
}

/* False: nobody works any more. */
static bool wait_for_some(struct crew *c)
{
	struct pollfd fds[c->size];
	bool some = false;

	for (unsigned int i = 0; i < c->size; i++) {
		fds[i] = (struct pollfd){ c->list[i].pid ? c->list[i].from : -1, POLLIN, 0 };
		some |= c->list[i].pid;
	}
	if (!some)
		return false;
	if (poll(fds, c->size, 200) > 0)
		for (unsigned int i = 0; i < c->size; i++)
			if (fds[i].fd >= 0 && fds[i].revents)
				hear(c, i);
	progress(c->work->name, c->taken_count, c->work->count);
	return true;
}

/* Those that no fork came to: there was no room for any. */
static void lose_rest(struct crew *c)
{
	for (size_t i = atomic_load(&c->shared->next); i < c->work->count; i++)
		lose(c, i, strerror(EAGAIN));
}

void crew_do(const struct crew_work *w)
{
	struct crew c = { .work = w, .parent = getpid(), .size = w->jobs < w->count ? w->jobs : (unsigned int)w->count };
	size_t shared_size = sizeof(*c.shared) + c.size * sizeof(*c.shared->at);

	c.shared = alloc_shared(shared_size);
	c.list = alloc_zero(c.size, sizeof(*c.list));
	c.taken = alloc_zero(w->count, sizeof(*c.taken));
	for (unsigned int i = 0; i < c.size; i++) {
		c.list[i].said = memfd_create("said", MFD_CLOEXEC);
		start(&c, i);
	}
	while (wait_for_some(&c))
		;
	lose_rest(&c);
	for (unsigned int i = 0; i < c.size; i++)
		close(c.list[i].said);
	munmap(c.shared, shared_size);
	free(c.taken);
	free(c.list);
	free(c.room);
}

char *crew_said(int fd)
{
	struct stat st;
	char *said;

	if (fd < 0 || fstat(fd, &st) || !st.st_size)
		return NULL;
	said = alloc_zero((size_t)st.st_size + 1, 1);
	if (pread(fd, said, (size_t)st.st_size, 0) != st.st_size || ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		*said = '\0';
	return said;
}
