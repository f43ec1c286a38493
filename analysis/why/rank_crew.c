#include "analysis/why/rank_crew.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/util/alloc.h"

/* A child has no business with what others say: their parent's end would make them wait for us. */
static void close_others(const struct rank_crew *c, unsigned int own)
{
	for (unsigned int i = 0; i < own; i++)
		if (c->children[i].pid)
			close(fileno(c->children[i].from.file));
}

static void work(const struct rank_crew *c, unsigned int own, int to, read_rank *read, void *context, struct subjects *subjects)
{
	struct rank_stream stream = { .file = fdopen(to, "w"), .subjects = subjects };

	close_others(c, own);
	for (size_t i = own; stream.file && i < c->count; i += c->size) {
		struct why_rank rank = { 0 };
		bool there = read(context, i, &rank);

		rank_stream_put(&stream, there ? &rank : NULL);
		if (there)
			why_rank_free(&rank);
	}
	if (stream.file)
		fclose(stream.file);
	_exit(0);
}

static void start(struct rank_crew *c, unsigned int number, read_rank *read, void *context, struct subjects *subjects)
{
	struct crew_child *child = &c->children[number];
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return;
	child->from = (struct rank_stream){ .file = fdopen(ends[0], "r"), .subjects = subjects };
	child->pid = child->from.file ? fork() : -1;
	if (!child->pid) {
		close(ends[0]);
		work(c, number, ends[1], read, context, subjects);
	}
	close(ends[1]);
	if (child->pid > 0)
		return;
	child->pid = 0;
	if (child->from.file)
		fclose(child->from.file);
	else
		close(ends[0]);
}

void rank_crew_begin(struct rank_crew *c, unsigned int size, size_t count, read_rank *read, void *context, struct subjects *subjects)
{
	*c = (struct rank_crew){ .count = count, .size = size < count ? size : (unsigned int)count };
	if (c->size < 2)
		c->size = 0;
	c->children = alloc_zero(c->size, sizeof(*c->children));
	fflush(stdout);
	for (unsigned int i = 0; i < c->size; i++)
		start(c, i, read, context, subjects);
}

static void let_go(struct crew_child *child)
{
	fclose(child->from.file);
	free(child->from.numbers);
	while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
}

bool rank_crew_take(struct rank_crew *c, size_t number, struct why_rank *rank, bool *there)
{
	struct crew_child *child = c->size ? &c->children[number % c->size] : NULL;

	if (!child || !child->pid)
		return false;
	if (rank_stream_get(&child->from, rank, there))
		return true;
	let_go(child);
	return false;
}

void rank_crew_end(struct rank_crew *c)
{
	for (unsigned int i = 0; i < c->size; i++)
		if (c->children[i].pid)
			let_go(&c->children[i]);
	free(c->children);
}
