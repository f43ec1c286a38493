/* python_calls.h - calls of watched functions: who is in one, and what it tells of steps, stages, mini- and micro-batches. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/base/attributes.h"
#include "agent/steps/python_api.h"
#include "config/step_source/python_function.h"

struct watch {
	struct python_function function;
	enum python_of of;
	int number;	     /* from 1 */
	unsigned int place;  /* in the session's list of sources */
	unsigned int source; /* of a step: which of the step sources */
	bool found, lacked;  /* it is there; its module is, and has no such function */
	char topic[24];	     /* under which log_once() tells of it */
};

/* What a call says. */
struct told {
	bool counts, has_step, has_rank;
	int64_t step, rank;
	const char *role;
	void *kept; /* what has to be let go behind it */
};

/* Takes what Python says of a call: None: it does not count; else the number of the step and the role, or None for them. */
void told_take(struct told *t, void *from);

/* Whose calls of one function are parts of each other. */
enum call_by {
	BY_THREAD,
	BY_TASK,  /* a coroutine's: others run while it does */
	BY_ITSELF /* a generator's: it may go on anywhere */
};

struct call;

/* Starts the agent in a process that only listens. */
extern void (*calls_listen)(void) OURS;

/*
 * A call begins. Returns what is to be left; NULL: nobody wants to know. *outermost: it is not part of another one: what it says is
 * looked for only then, and told with it.
 */
struct call *call_enter(const struct watch *w, enum call_by by, bool *outermost);
void call_entered(const struct watch *w, struct call *call, const struct told *t);

/* It ends, or the newest of this thread or task does. NULL: it was part of another one, or nobody knows of it. */
struct call *call_leave(struct call *call);
struct call *call_leave_newest(const struct watch *w, enum call_by by);

/* The same as it ends; what it says counts where it has returned. */
void call_left(const struct watch *w, struct call *call, const struct told *t);

/* As a number, from 1. */
long call_token(const struct call *call);
struct call *call_of(long token);

/* A program goes on defining functions where it imports nothing more: Python is asked to look for those that are watched, soon. */
void calls_look_again(void);

/* What we call of Python: the current task as a number, or 0; another look for functions; and for those of new subclasses. */
void calls_help(void *task_of, void *look_again, void *look_for_subclasses);

/* Those of this function that are open end, as if they had been left by an exception. With the GIL. */
void calls_end(const struct watch *w);

void calls_forget(void); /* in a forked child, who is in none */
