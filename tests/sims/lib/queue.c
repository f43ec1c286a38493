/*
 * queue.c - see queue.h. Most work begins when it is given or when what is before it is done, and when it ends is known at
 * once. A collective ends when the last rank's stream has come to it and its own time has gone by: until all have come
 * nothing behind it has a time. A thread goes on with such streams while the program does something else.
 */
#include "tests/sims/lib/queue.h"
#include "tests/sims/lib/ranks.h"
#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum entry_kind { WORK,
		  MEETING,
		  RECORD,
		  WAIT };

struct entry {
	enum entry_kind kind;
	uint64_t given, ns; /* by the device's clock; and how long it takes */
	struct event *event;
	struct ranks *ranks;
	uint64_t number; /* of their meeting */
	bool posted;
	struct entry *next;
};

/* Whom the first one met that has to wait for others, and how many had come somewhere by then. */
struct blocked {
	struct ranks *ranks;
	uint32_t posts;
};

static pthread_cond_t given = PTHREAD_COND_INITIALIZER, moved = PTHREAD_COND_INITIALIZER;

bool sim_async(void)
{
	static int async = -1;

	if (async < 0)
		async = sim_setting("SIM_ASYNC", 0) && sim_boot(0);
	return async;
}

static uint64_t host_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t device_ns(const struct stream *s)
{
	return host_ns() - sim_boot(s->device);
}

void sim_sleep_until(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

void sim_queue_block(uint64_t ns)
{
	sim_sleep_until(host_ns() + ns);
}

/* ---- going on ---- */

/* Who never comes is not waited for for ever. */
static bool has_met(const struct stream *s, struct entry *e, uint64_t begin, uint64_t *end, struct blocked *blocked)
{
	uint64_t boot = sim_boot(s->device), seconds = (uint64_t)sim_setting("SIM_HCCL_TIMEOUT", 60);
	struct blocked here = { e->ranks, ranks_posts(e->ranks) };

	if (!e->posted)
		ranks_post(e->ranks, e->number, boot + begin, e->ns);
	e->posted = true;
	if (ranks_met(e->ranks, e->number, end)) {
		*end -= boot;
		return true;
	}
	*end = begin + e->ns;
	if (!blocked->ranks)
		*blocked = here;
	return device_ns(s) > begin + seconds * 1000000000u;
}

static bool go(struct stream *s, struct entry *e, struct blocked *blocked)
{
	uint64_t begin = e->given > s->now ? e->given : s->now, end = begin + e->ns;

	if (e->kind == MEETING && !has_met(s, e, begin, &end, blocked))
		return false;
	if (e->kind == WAIT && e->event) {
		if (e->event->queued)
			return false;
		end = e->event->ns > begin ? e->event->ns : begin;
	}
	if (e->kind == RECORD && e->event) {
		e->event->ns = begin;
		e->event->queued--;
	}
	s->now = end;
	return true;
}

static bool advance(struct stream *s, struct blocked *blocked)
{
	struct entry *e = s->queue;
	bool any = false;

	for (; e && go(s, e, blocked); e = s->queue, any = true) {
		s->queue = e->next;
		free(e);
	}
	return any;
}

static struct blocked advance_all(void)
{
	struct blocked blocked = { NULL, 0 };
	bool any;

	do {
		any = false;
		for (struct stream *s = sim_streams; s; s = s->next)
			any |= advance(s, &blocked);
	} while (any);
	pthread_cond_broadcast(&moved);
	return blocked;
}

static void *go_on(void *unused)
{
	struct blocked blocked;

	(void)unused;
	pthread_mutex_lock(&sim_lock);
	for (;;) {
		blocked = advance_all();
		if (!blocked.ranks) {
			pthread_cond_wait(&given, &sim_lock);
			continue;
		}
		pthread_mutex_unlock(&sim_lock);
		ranks_await(blocked.ranks, blocked.posts);
		pthread_mutex_lock(&sim_lock);
	}
	return NULL;
}

/* ---- giving ---- */

static void put(struct stream *s, struct entry e)
{
	struct entry **last = &s->queue, *here = malloc(sizeof(*here));
	static bool started;
	pthread_t thread;

	e.given = device_ns(s);
	*here = e;
	while (*last)
		last = &(*last)->next;
	*last = here;
	if (!advance_all().ranks)
		return;
	if (!started)
		started = !pthread_create(&thread, NULL, go_on, NULL) && !pthread_detach(thread);
	pthread_cond_signal(&given);
}

/* Nothing is computed and nothing is moved; but functions of the host are called. */
void sim_queue_task(struct stream *s, const struct sim_task *task)
{
	struct entry e = { .kind = WORK, .ns = task->ns };

	if (task->kind == SIM_HOST)
		task->run(task->args);
	pthread_mutex_lock(&sim_lock);
	if (task->meets && (e.ranks = task->meets(task->args))) {
		e.kind = MEETING;
		e.number = ranks_next(e.ranks);
	}
	put(s, e);
	pthread_mutex_unlock(&sim_lock);
}

void sim_queue_record(struct stream *s, struct event *e)
{
	e->queued++;
	put(s, (struct entry){ .kind = RECORD, .event = e });
}

void sim_queue_wait(struct stream *s, struct event *e)
{
	put(s, (struct entry){ .kind = WAIT, .event = e });
}

void sim_queue_forget(const struct event *e)
{
	for (struct stream *s = sim_streams; s; s = s->next)
		for (struct entry *at = s->queue; at; at = at->next)
			if (at->event == e)
				at->event = NULL;
}

/* ---- waiting ---- */

bool sim_queue_passed(const struct event *e)
{
	return !e->record || (!e->queued && device_ns(e->stream) >= e->ns);
}

bool sim_queue_done(const struct stream *s)
{
	return !s->queue && device_ns(s) >= s->now;
}

void sim_queue_wait_for_event(const struct event *e)
{
	uint64_t until = 0;

	pthread_mutex_lock(&sim_lock);
	while (e->queued)
		pthread_cond_wait(&moved, &sim_lock);
	if (e->record)
		until = sim_boot(e->stream->device) + e->ns;
	pthread_mutex_unlock(&sim_lock);
	sim_sleep_until(until);
}

void sim_queue_wait_for(struct stream *s)
{
	uint64_t until;

	pthread_mutex_lock(&sim_lock);
	while (s->queue)
		pthread_cond_wait(&moved, &sim_lock);
	until = sim_boot(s->device) + s->now;
	pthread_mutex_unlock(&sim_lock);
	sim_sleep_until(until);
}
