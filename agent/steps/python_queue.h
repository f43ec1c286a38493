/*
 * python_queue.h - PyTorch may launch from a thread of its own, behind the boundary that its trainer tells. Where a window may open or close
 * there, that thread's queue is waited for, so that what was given to it before is launched before.
 */
#pragma once
#include <stdbool.h>

/* Puts what python_shim.py calls of it into a dictionary. False: out of memory. */
bool queue_give(void *dictionary);

/* What waits for it: a function of Python, which says whether there was one. */
void queue_help(void *empty);

/* A function of Python tells of a boundary, where a window may open or close. */
void queue_wait(bool may);

/* A function of C does, or ctypes for one of Python: it was called from here. */
void queue_wait_for(const void *caller, bool may);

void queue_forget(void); /* in a forked child */
