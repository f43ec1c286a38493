/* arguments.h - the arguments of a function of which nothing is known but that it was called: six registers, then the stack. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"

struct arguments {
	const uint64_t *registers[6];
	const uint64_t *stack;
	size_t stack_words; /* that may be looked at */
};

#define ARGUMENTS_ON_STACK 122 /* so many are */

static inline size_t arguments_count(const struct arguments *a)
{
	return 6 + (a->stack_words < ARGUMENTS_ON_STACK ? a->stack_words : ARGUMENTS_ON_STACK);
}

/* Not all of it is arguments: what else lies there a sanitizer would keep from us. */
BARE static inline uint64_t arguments_at(const struct arguments *a, size_t i)
{
	return i < 6 ? *a->registers[i] : a->stack[i - 6];
}
