#include "analysis/export/side_by_side.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/util/alloc.h"

struct child {
	pid_t pid; /* 0: none */
	FILE *from;
	int held; /* it waits for a byte from here */
	size_t number;
	bool next; /* all before it were in when it began: it writes to where that belongs */
};

/* Of one process, until those before it are in. */
struct result {
	bool there, next;
	struct exported done;
	struct pieces *pieces;
};

struct crew {
	struct export *export;
	export_one one;
	size_t count, next, taken; /* processes; the first that was not begun, the first that was not put in */
	unsigned int size;
	struct child *children;
	struct result *results;
	struct exported sum;
};

/* ---- in a child ---- */

/* Its pieces are its own to take away until the parent has heard of all of them, for which it waits at `held`. */
static void work(struct crew *c, size_t number, int to_fd, int held)
{
	bool next = number == c->taken;
	struct export *e = c->export;
	FILE *to = fdopen(to_fd, "w");
	struct exported done;
	char none;

	destination_be_pieces(e->to, next);
	if (e->out && !next)
		e->out = destination_file(e->to, NULL);
	e->not_first = next && c->sum.ranks;
	done = c->one(e, number);
	done.failed = !destination_is_well(e->to);
	done.error = e->out && next ? e->out->error : 0;
	fwrite(&done, sizeof(done), 1, to);
	destination_send(e->to, to);
	fclose(to);
	while (read(held, &none, 1) < 0 && errno == EINTR)
		;
	_exit(0);
}

/* ---- in the parent ---- */

static void start(struct crew *c, struct child *child)
{
	int results[2], held[2];

	destination_end_piece(c->export->to);
	if (pipe2(results, O_CLOEXEC) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, held) || (child->pid = fork()) < 0) {
		perror("ranktrace: export");
		destination_fail(c->export->to);
		child->pid = 0;
		return;
	}
	if (!child->pid) {
		close(results[0]);
		close(held[1]);
		work(c, c->next, results[1], held[0]);
	}
	close(results[1]);
	close(held[0]);
	child->from = fdopen(results[0], "r");
	child->held = held[1];
	child->next = c->next == c->taken;
	child->number = c->next++;
}

/* Did it end by itself? */
static bool let_end(struct child *child)
{
	int status = 0;

	fclose(child->from);
	send(child->held, "", 1, MSG_NOSIGNAL);
	close(child->held);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
	return !status;
}

static void hear(struct crew *c, struct child *child)
{
	struct result *r = &c->results[child->number];
	bool ended;

	r->there = fread(&r->done, sizeof(r->done), 1, child->from) == 1;
	if (r->there)
		r->pieces = destination_receive(child->from);
	r->next = child->next;
	if (r->there && r->next && c->export->out)
		out_moved(c->export->out, r->done.error);
	ended = let_end(child) && r->there;
	if (!ended)
		fprintf(stderr, "ranktrace: export: a process of it was ended\n");
	if (!ended || r->done.failed)
		destination_fail(c->export->to);
}

/* Those of which all before them are in. */
static void put_together(struct crew *c)
{
	struct export *e = c->export;

	for (; c->taken < c->count && c->results[c->taken].there; c->taken++) {
		struct result *r = &c->results[c->taken];

		if (!r->next && r->done.ranks && c->sum.ranks && e->out && e->exporter->between)
			out_text(e->out, e->exporter->between);
		if (r->done.wanted)
			destination_take(e->to, r->pieces);
		else
			destination_drop(r->pieces);
		r->pieces = NULL;
		exported_add(&c->sum, &r->done);
	}
}

static void end_all(struct crew *c)
{
	destination_fail(c->export->to);
	for (unsigned int i = 0; i < c->size; i++) {
		if (!c->children[i].pid)
			continue;
		kill(c->children[i].pid, SIGKILL);
		let_end(&c->children[i]);
	}
}

static void wait_for_some(struct crew *c, void (*show)(const struct export *e))
{
	struct pollfd fds[c->size];
	int ready;

	for (unsigned int i = 0; i < c->size; i++)
		fds[i] = (struct pollfd){ c->children[i].pid ? fileno(c->children[i].from) : -1, POLLIN, 0 };
	ready = poll(fds, c->size, 200);
	for (unsigned int i = 0; i < c->size && ready > 0; i++)
		if (fds[i].fd >= 0 && fds[i].revents)
			hear(c, &c->children[i]);
	if (ready < 0 && errno != EINTR) {
		perror("ranktrace: export");
		end_all(c);
	}
	show(c->export);
}

static bool anyone(const struct crew *c)
{
	for (unsigned int i = 0; i < c->size; i++)
		if (c->children[i].pid)
			return true;
	return false;
}

static void start_some(struct crew *c)
{
	for (unsigned int i = 0; i < c->size && destination_is_well(c->export->to); i++)
		if (!c->children[i].pid && c->next < c->count)
			start(c, &c->children[i]);
}

static void let_go(struct crew *c)
{
	for (size_t i = 0; i < c->count; i++)
		destination_drop(c->results[i].pieces);
	free(c->results);
	free(c->children);
}

#define DESCRIPTORS 64 /* that an export needs besides: its files, and a fork's own */

/* As many as there are descriptors for, of which each takes two. */
static unsigned int size_of_crew(const struct export *e, size_t count)
{
	struct rlimit limit;
	rlim_t room = getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur <= DESCRIPTORS + 2 ? 1 : (limit.rlim_cur - DESCRIPTORS) / 2;

	if (room > count)
		room = count;
	return room < e->jobs ? (unsigned int)room : e->jobs;
}

struct exported side_by_side(struct export *e, size_t count, export_one one, void (*show)(const struct export *e))
{
	struct crew c = { .export = e, .one = one, .count = count, .size = size_of_crew(e, count), .sum = { .whole = true } };

	c.children = alloc_zero(c.size, sizeof(*c.children));
	c.results = alloc_zero(count, sizeof(*c.results));
	do {
		start_some(&c);
		wait_for_some(&c, show);
		put_together(&c);
	} while (anyone(&c) || (c.taken < count && destination_is_well(e->to)));
	let_go(&c);
	return c.sum;
}
