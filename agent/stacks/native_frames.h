/*
 * native_frames.h - the functions of C and C++ that the calling thread is in: by libunwind's unw_backtrace(), which is opened when stacks are wanted, for
 * ourselves (linked, it would become the process's unwinder of C++ exceptions), or by frame pointers.
 */
#pragma once
#include "agent/stacks/native_stack.h"

/* by_pointers: without the library. False: it is not there. */
bool native_frames_open(bool by_pointers);

/* By the library, the thread's first time takes up to a millisecond; later ones half a microsecond. False: it is not open, or tells nothing. */
bool native_frames_read(struct native_stack *s);

/* Of a stack that is met for the first time, what is none is cut off: words that only looked like frames. Returns whether there was any. */
bool native_frames_cut(struct native_stack *s);

/* Where functions were that some stack went through, there may soon be others. */
void native_frames_forget(void);
