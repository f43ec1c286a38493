/*
 * question.h - around what we ask of a vendor, or have libc do that takes a lock or memory: errno stays the program's, and what is called in turn
 * is not the program's, nor is a signal handler's call meanwhile looked at.
 */
#pragma once
#include "agent/os/slow_path.h"
#include "agent/record/record.h"

/* Where errno is looked after already. */
ALWAYS_INLINE uint32_t question_in(void)
{
	uint32_t inside = producer.inside;

	producer.inside = record_inside(inside) | INSIDE_AGENT;
	return inside;
}

ALWAYS_INLINE void question_out(uint32_t inside)
{
	producer.inside = inside;
}

struct question {
	struct slow_path guard;
	uint32_t inside;
};

static inline struct question question_begin(void)
{
	struct question q = { .guard = slow_path_begin() };

	q.inside = question_in();
	return q;
}

static inline void question_end(struct question q)
{
	question_out(q.inside);
	slow_path_end(q.guard);
}
