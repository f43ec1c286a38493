/*
 * stack_memory.h - what is read while a stack of the calling thread is walked: nobody says that what is followed leads to a stack, and what lies
 * elsewhere may go any moment.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"

#define STACK_PAGE 4096u /* the smallest that there is */

/* ---- up from the stack pointer ---- */

/* Before anything else, and any number of times: finds what libc has for it. */
void stack_memory_start(void);

/* The stack that a thread runs on. */
struct stack_reach {
	uintptr_t sp;
	uintptr_t end; /* of the thread's own, which stays as long as the thread; 0: another one, of which each word is had from the kernel */
};

struct stack_reach stack_memory_reach(uintptr_t sp);

/* Are these bytes above the stack pointer there? Nobody is asked of the first thread's own stack, nor of others' that libc was asked about before. */
bool stack_memory_above(uintptr_t sp, uintptr_t at, size_t bytes);

/* How many of so many bytes from this place of the stack on, behind a word that is there, are there, too: it may be near the stack's end. At most a page. */
ALWAYS_INLINE size_t stack_memory_count(uintptr_t place, size_t bytes)
{
	size_t here = -place & (STACK_PAGE - 1);

	return LIKELY(bytes <= here) || stack_memory_above(place, place + here, sizeof(place)) ? bytes : here;
}

/* Two words of it, above the stack pointer. */
bool stack_memory_read(const struct stack_reach *r, uintptr_t at, uintptr_t words[2]);

/* Bytes of anything, which may not be there: the kernel copies them. */
bool stack_memory_copy(const void *from, void *to, unsigned int bytes);

/* ---- anywhere: for libunwind, which reads at once what it asked for ---- */

/* A walk of the calling thread's stack begins: what else was there before may be there no more. */
void stack_memory_begin(void);

/* Is this word there? A system call a page that is not its own stack's. */
bool stack_memory_has(uintptr_t at);
