/*
 * stacks.h - who asked for a call: while GATE_STACKS is set, a recorded call is told with the stack of the thread that asked for it, as a number. A stack is
 * defined when it is met for the first time, with all that is said of its functions, for their code may be gone later.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/base/attributes.h"
#include "agent/format/event.h"
#include "agent/stacks/python_frames.h"

/* Stacks are wanted, in some window: of Python and native ones, or of Python alone. False: what unwinds native ones is not there. */
bool stacks_start(bool native);

/*
 * A thread launches something in the step before a window: it walks its native stack, for nobody. What the unwinder learns of the code
 * on the way takes long the first time, and is not the window's.
 */
void stacks_practise(void);

/* Are native ones wanted in the window that is open? */
void stacks_native(bool wanted);

/* Python will be asked whether its frames are read right; nothing is read before. */
void stacks_python_asked(void);

/* They are, so: */
void stacks_python_right(const struct python_frames *p);

/* They are not, or cannot be: as if there were no Python. */
void stacks_python_wrong(void);

/* A file is about to be opened, maybe where another one was: what was known of addresses is not any more. */
BARE void stacks_opening(void);

/* What is known of who asked for a call. */
struct asked {
	uint64_t stack;	  /* DEF_STACK id; 0: none, */
	enum stack_of of; /* for this reason; or whose it is */
};

/* The calling thread's own, as far as it asked for it itself. */
struct asked stacks_asked(void);

/* Until the end this thread, which runs no Python, does what another has asked for. */
void stacks_work_begin(struct asked by);
void stacks_work_end(void);

/* A thread goes into the backward pass, whose work other threads do; returns whether stacks_backward_end() is to be called. */
bool stacks_backward_begin(void);
void stacks_backward_end(void);

/* The number of the task of a backward pass that the calling thread does, as its framework tells it; < 0: it does none. NULL: cannot be asked. */
void stacks_backward_task(int (*of_thread)(void));

void stacks_forget(void); /* in a forked child */
