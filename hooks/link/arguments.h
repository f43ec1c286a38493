/* arguments.h - the arguments of a function of which nothing is known but that it was called: registers, then the stack. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"

#if defined(__aarch64__)
#define ARGUMENTS_IN_REGISTERS 8  /* x0 to x7: AAPCS64, 6.4 */
#define ARGUMENTS_AT	       80 /* below the frame pointer, where ARGUMENTS_KEEP (trampoline.inc) puts them one after the other */
#else
#define ARGUMENTS_IN_REGISTERS 6 /* rdi, rsi, rdx, rcx, r8, r9: System V ABI, AMD64, 3.2.3 */
#define ARGUMENTS_AT	       64
#endif
#define ARGUMENTS_STACK_AT 16 /* above it: the caller's stack */

struct arguments {
	const uint64_t *registers;
	const uint64_t *stack;
	size_t stack_words; /* that may be looked at */
};

#define ARGUMENTS_ON_STACK 122 /* so many are */

static inline size_t arguments_count(const struct arguments *a)
{
	return ARGUMENTS_IN_REGISTERS + (a->stack_words < ARGUMENTS_ON_STACK ? a->stack_words : ARGUMENTS_ON_STACK);
}

/* Not all of it is arguments: what else lies there a sanitizer would keep from us. */
BARE static inline uint64_t arguments_at(const struct arguments *a, size_t i)
{
	return i < ARGUMENTS_IN_REGISTERS ? a->registers[i] : a->stack[i - ARGUMENTS_IN_REGISTERS];
}
