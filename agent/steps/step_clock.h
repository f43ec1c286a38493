/* step_clock.h - who says where a step begins or ends: ranktrace_step(), PyTorch's optimizers, launches of certain kernels, a symbol. */
#pragma once
#include <stdbool.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"
#include "agent/record/launch_cache.h"

/* Reads the list of the settings, or takes the usual ones. Tells whether some, or all, end steps. */
void step_clock_read(bool *some_end, bool *all_end);

/* The first source to fire is the clock, the others are not heard any more: is it this one? Under the lock of steps. */
bool step_clock_fire(unsigned int source);

/* It is about to fire: is the clock already, if no kernel: source that may fire first is before it in the list. */
void step_clock_claim(unsigned int source);

/* Does this source say that a step has ended (and not that one begins)? */
bool step_clock_ends_steps(unsigned int source);

/* What the source that fired is called, "" while none has. */
const char *step_clock_clock(void);

/* The number of the api source, of the python: source; -1 if it is not listened to. */
int step_clock_api(void);
int step_clock_python(void);

/* Did the user name the python: source? */
bool step_clock_python_named(void);

/* The symbol: source of this number was entered, or returned. */
void step_clock_symbol(unsigned int source, bool at_return);

/* May a kernel: source still be the clock? */
bool step_clock_kernel_armed(void);

/* Does a kernel of this name belong to a kernel: source's run? Slow: ask once a name. */
bool step_clock_kernel_matches(const char *name);

/* A launch was seen while GATE_CLOCK was set. The first that does not match ends the run, and the step. */
void step_clock_kernel(bool matches);

/* The same, in line for the launch that is like the one before. */
ALWAYS_INLINE void sources_launch(bool matches)
{
	if (UNLIKELY((launch_cache_now() & 1) != matches))
		step_clock_kernel(matches);
}

void step_clock_forget(void); /* in a forked child */
