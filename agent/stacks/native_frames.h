/*
 * native_frames.h - the functions of C and C++ that the calling thread is in, by libunwind's unw_backtrace(). It is opened when stacks are wanted, for
 * ourselves: linked, it would become the process's unwinder of C++ exceptions.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/format/trace_file.h"

struct native_stack {
	uint64_t hash;
	unsigned int count;
	bool truncated;
	uintptr_t frames[STACK_FRAMES]; /* where calls return to, innermost first, without ours */
};

/* Opens the library. False: it is not there. */
bool native_frames_open(void);

/* The thread's first time takes up to a millisecond; later ones half a microsecond. False: it is not open, or tells nothing. */
bool native_frames_read(struct native_stack *s);

/* Where functions were that some stack went through, there may soon be others. */
void native_frames_forget(void);
