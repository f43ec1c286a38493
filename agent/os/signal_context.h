/* signal_context.h - are we called by a signal handler? Then what we interrupted may be malloc. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * True if this thread runs a signal handler: memory must not be taken (nor locks of libc's that memory
 * is taken under), and is put off to the next ordinary call. A few microseconds: for slow paths.
 * errno is kept. False where a sandbox of the program's keeps us out: it cannot be asked, and nothing is recorded.
 */
bool signal_context_running(void);

/*
 * May a thread that has no signal blocked run a handler? Some want to be interrupted by their own signal, and block no other. The program is looked
 * at again when the kernel's clock has ticked: a few milliseconds.
 */
bool signal_context_may_block_nothing(void);
