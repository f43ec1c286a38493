/* stack_memory.h - what may be read while a stack of the calling thread is walked: nobody says how far it reaches, or that what is followed is right. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* A walk begins that may go anywhere: what was there before may be there no more. */
void stack_memory_begin(void);

/* Are these words there? A system call a page. */
bool stack_memory_has(uintptr_t at, unsigned int words);

/*
 * A walk begins that goes from the thread's stack pointer up. The thread's own stack stays as long as it does: it is looked at once, as far as it is
 * in use. Of another one (a coroutine's, a signal handler's) each walk looks anew.
 */
void stack_memory_begin_up(uintptr_t sp);
