#include "agent/steps/published.h"
#include <stdatomic.h>
#include <unistd.h>
#include "agent/base/process.h"
#include "agent/os/clock.h"
#include "agent/session/session.h"
#include "agent/steps/sessions.h"

/* ---- the step that comes next ---- */

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

/* The time first: see published_tell(). */
static void take_if_newer(int fd, void *newest)
{
	struct newest *n = newest, its;

	if (SESSION_READ(fd, next_step_at, &its.at) && SESSION_READ(fd, next_step, &its.step) && its.at > n->at && session_is_of_run(fd))
		*n = its;
}

bool published_find(int64_t *step)
{
	struct newest newest = { 0 };

	sessions_each(take_if_newer, &newest);
	if (newest.at > taken.at)
		taken = newest;
	*step = taken.step;
	return newest.at;
}

void published_forget(void)
{
	taken.at = 0;
}

/* ---- the replica ---- */

#define ANCESTORS 16

struct ancestors {
	uint32_t pid[ANCESTORS]; /* the nearest first */
	unsigned int count;	 /* of them to be asked still: those that are nearer than who has told */
	bool found;		 /* they are known */
	int64_t replica;
};

static void find_ancestors(struct ancestors *a)
{
	for (uint32_t pid = process_parent((uint32_t)getpid()); pid > 1 && a->count < ANCESTORS; pid = process_parent(pid))
		a->pid[a->count++] = pid;
	a->found = true;
}

static void take_if_nearer(int fd, void *ancestors)
{
	struct ancestors *a = ancestors;
	int64_t replica;
	uint32_t pid;

	if (!a->found)
		find_ancestors(a);
	if (!SESSION_READ(fd, replica, &replica) || replica < 0 || !SESSION_READ(fd, pid, &pid))
		return;
	for (unsigned int i = 0; i < a->count; i++)
		if (a->pid[i] == pid && session_is_of_run(fd)) {
			a->replica = replica;
			a->count = i;
		}
}

bool published_replica(int64_t *replica)
{
	struct ancestors ancestors = { .replica = -1 };

	sessions_each(take_if_nearer, &ancestors);
	*replica = ancestors.replica;
	return ancestors.replica >= 0;
}
