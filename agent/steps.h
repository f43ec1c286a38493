/* steps.h - which step it is, who said so, and whether it is recorded. */
#pragma once
#include "config/config.h"
#include "own.h"

/* Reads the sources, decides about the first window. Called once, by agent_start(). */
void steps_start(void);

/* Step n begins now (ranktrace_step). */
void steps_begin(int64_t n);

/* The symbol: source of this number was entered, or returned. */
void steps_symbol(unsigned int source, bool at_return);

/* Does a kernel of this name belong to a kernel: source's run? Slow: ask once a name. */
bool steps_kernel_matches(const char *name);

/* A launch was seen while GATE_CLOCK was set. The first that does not match ends the run, and the step. */
void steps_kernel(bool matches);

extern bool steps_in_run OURS; /* the last launch matched */

/* The same, in line for the launch that is like the one before. */
ALWAYS_INLINE void steps_launch(bool matches)
{
	if (UNLIKELY(__atomic_load_n(&steps_in_run, __ATOMIC_RELAXED) != matches))
		steps_kernel(matches);
}

/* The flush thread closed a file: perhaps the gate can shut for good. */
void steps_window_done(void);

/* At exit: closes the open window. */
void steps_stop(void);

/* The spec of source i, NULL past the last; for those who must arrange to be called. */
struct step_source_spec;
const struct step_source_spec *steps_source(unsigned int i);

/* The source that fired, "" while none has. */
const char *steps_clock(void);

void steps_forget(void); /* in a forked child */
