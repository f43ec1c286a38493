/*
 * frame_pointers.h - native stacks by frame pointers: each function's leads to that of its caller, and the return address stands beside it. Nothing is
 * looked up, which takes a tenth of the time; functions that were built without them are missing, or end the stack.
 */
#pragma once
#include "agent/stacks/native_stack.h"

/* Of the calling thread, without our own functions. The first time of a thread, and of a deeper stack, takes a system call a page. */
void frame_pointers_read(struct native_stack *s);

/* Does code call something there, in front of where it goes on? What only looks like a frame says so of next to nothing. */
bool frame_pointers_behind_call(uintptr_t pc);
