/*
 * apart.h - work that opens files, done by a thread with a table of descriptors of its own. A program may count on which
 * number open() gives it, and on closing what it will: of its table we take none, for no moment.
 */
#pragma once
#include <stdbool.h>
#include "agent/base/attributes.h"

/*
 * Does the work, and returns when it is done. It runs on a stack of its own with this thread's thread-local data, while this
 * one waits; libc does not know of it. Where the kernel refuses, this thread does it itself, with the program's table.
 */
void apart_run(void (*work)(void *argument), void *argument);

/* Is this such work, with such a table? */
bool apart_here(void);

void apart_forget(void); /* in a forked child */

/* How the last work got its table: own, copied (what was not ours is closed) or shared (it has none). */
const char *apart_way(void);
