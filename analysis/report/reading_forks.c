/* reading_forks.c - processes of a trace are read several at a time, by forks of ours, each of which takes the next one that nobody has. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/report/reading.h"
#include "analysis/util/alloc.h"
#include "analysis/util/progress.h"

#define PIPE (1u << 20) /* bytes, if we may: whoever reads need not wait for whoever shows */

#define ROOM (32 << 20) /* bytes that are kept rather than given back and asked for again */

struct shared {
	_Atomic size_t next; /* of r->wanted */
	size_t at[];	     /* by fork: what it reads */
};

struct fork_of {
	pid_t pid; /* 0: none */
	int from;  /* records, each behind its size */
	int said;  /* its stderr */
};

struct forks {
	struct reading *reading;
	struct shared *shared;
	unsigned int size;
	struct fork_of *list;
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

static void work(struct forks *f, unsigned int number, int to)
{
	const struct reading *r = f->reading;
	size_t next;

	/* The next process needs about as much as this one did. */
	mallopt(M_MMAP_THRESHOLD, ROOM);
	mallopt(M_TRIM_THRESHOLD, ROOM);
	if (f->list[number].said >= 0)
		dup2(f->list[number].said, STDERR_FILENO);
	while ((next = atomic_fetch_add(&f->shared->next, 1)) < r->count) {
		struct parcel record = { 0 };

		f->shared->at[number] = next;
		reading_make(&r->trace->processes[r->wanted[next]], r->wanted[next], r->choice, f->list[number].said, &record);
		send_all(to, &record.used, sizeof(record.used));
		send_all(to, record.bytes, record.used);
		free(record.bytes);
	}
	_exit(0);
}

/* ---- here ---- */

/* False: there is no room for one more. */
static bool start(struct forks *f, unsigned int number)
{
	struct fork_of *one = &f->list[number];
	int records[2];

	f->shared->at[number] = SIZE_MAX;
	if (pipe2(records, O_CLOEXEC))
		return false;
	fcntl(records[1], F_SETPIPE_SZ, PIPE);
	one->pid = fork();
	if (!one->pid) {
		close(records[0]);
		work(f, number, records[1]);
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
static bool receive(struct forks *f, const struct fork_of *one, size_t *size)
{
	if (!receive_all(one->from, size, sizeof(*size)))
		return false;
	if (*size > f->room_size) {
		f->room = alloc_grow(f->room, *size, 1);
		f->room_size = *size;
	}
	return receive_all(one->from, f->room, *size);
}

/* It sends no more. What it read then, and did not come here, did harm to it. */
static void let_end(struct forks *f, unsigned int number)
{
	struct fork_of *one = &f->list[number];
	const struct reading *r = f->reading;
	size_t at = f->shared->at[number];
	char *said = reading_said(one->said), why[64];
	int status = 0;

	close(one->from);
	while (waitpid(one->pid, &status, 0) < 0 && errno == EINTR)
		;
	one->pid = 0;
	if (at < r->count && !r->there[r->wanted[at]]) {
		if (said)
			fputs(said, stderr);
		snprintf(why, sizeof(why), WIFSIGNALED(status) ? "whoever read it was ended by signal %d" : "whoever read it ended with status %d",
			 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		reading_left_out(r, r->wanted[at], why);
	}
	free(said);
}

static void hear(struct forks *f, unsigned int number)
{
	size_t size;

	if (receive(f, &f->list[number], &size)) {
		reading_take(f->reading, f->room, size);
		return;
	}
	let_end(f, number);
	if (atomic_load(&f->shared->next) < f->reading->count)
		start(f, number);
}

/* False: nobody reads any more. */
static bool wait_for_some(struct forks *f)
{
	struct pollfd fds[f->size];
	bool some = false;

	for (unsigned int i = 0; i < f->size; i++) {
		fds[i] = (struct pollfd){ f->list[i].pid ? f->list[i].from : -1, POLLIN, 0 };
		some |= f->list[i].pid;
	}
	if (!some)
		return false;
	if (poll(fds, f->size, 200) > 0)
		for (unsigned int i = 0; i < f->size; i++)
			if (fds[i].fd >= 0 && fds[i].revents)
				hear(f, i);
	progress("report", f->reading->taken, f->reading->count);
	return true;
}

/* Those that no fork came to: there was no room for any. */
static void leave_out_rest(const struct forks *f)
{
	for (size_t i = atomic_load(&f->shared->next); i < f->reading->count; i++)
		reading_left_out(f->reading, f->reading->wanted[i], strerror(EAGAIN));
}

void reading_by_forks(struct reading *r)
{
	struct forks f = { .reading = r, .size = r->jobs < r->count ? r->jobs : (unsigned int)r->count };
	size_t shared_size = sizeof(*f.shared) + f.size * sizeof(*f.shared->at);

	f.shared = alloc_shared(shared_size);
	f.list = alloc_zero(f.size, sizeof(*f.list));
	for (unsigned int i = 0; i < f.size; i++) {
		f.list[i].said = memfd_create("said", MFD_CLOEXEC);
		start(&f, i);
	}
	while (wait_for_some(&f))
		;
	leave_out_rest(&f);
	for (unsigned int i = 0; i < f.size; i++)
		close(f.list[i].said);
	munmap(f.shared, shared_size);
	free(f.list);
	free(f.room);
}
