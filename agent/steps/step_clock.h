/* sources.h - who says where a step begins or ends: ranktrace_step(), PyTorch's optimizers, launches of certain kernels, a symbol. */
#pragma once
#include "agent/record/launch_cache.h"
#include "agent/base/own.h"
#include <stdbool.h>

/* Reads the list of the settings, or takes the usual ones. Tells whether some, or all, end steps. */
void sources_read(bool *some_end, bool *all_end);

/* The first source to fire is the clock, the others are not heard any more: is it this one? Under the lock of steps. */
bool sources_fire(unsigned int source);

/* It is about to fire: is the clock already, if no kernel: source that may fire first is before it in the list. */
void sources_claim(unsigned int source);

/* Does this source say that a step has ended (and not that one begins)? */
bool sources_ends_steps(unsigned int source);

/* What the source that fired is called, "" while none has. */
const char *sources_clock(void);

/* The number of the api source, of the python: source; -1 if it is not listened to. */
int sources_api(void);
int sources_python(void);

/* Did the user name the python: source? */
bool sources_python_named(void);

/* The symbol: source of this number was entered, or returned. */
void sources_symbol(unsigned int source, bool at_return);

/* May a kernel: source still be the clock? */
bool sources_kernel_armed(void);

/* Does a kernel of this name belong to a kernel: source's run? Slow: ask once a name. */
bool sources_kernel_matches(const char *name);

/* A launch was seen while GATE_CLOCK was set. The first that does not match ends the run, and the step. */
void sources_kernel(bool matches);

/* The same, in line for the launch that is like the one before. */
ALWAYS_INLINE void sources_launch(bool matches)
{
	if (UNLIKELY((launches_now() & 1) != matches))
		sources_kernel(matches);
}

void sources_forget(void); /* in a forked child */
