/* native_stack.h - the functions of C and C++ that a thread is in, however they were found. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/base/hash.h"
#include "agent/format/trace_file.h"

struct native_stack {
	uint64_t hash;
	unsigned int count;
	bool truncated;
	uintptr_t frames[STACK_FRAMES]; /* where calls return to, innermost first, without ours */
};

static inline void native_stack_begin(struct native_stack *s)
{
	s->count = 0;
	s->hash = HASH_BEGIN;
	s->truncated = false;
}

static inline void native_stack_add(struct native_stack *s, uintptr_t frame)
{
	s->frames[s->count++] = frame;
	s->hash = hash_word(s->hash, frame);
}
