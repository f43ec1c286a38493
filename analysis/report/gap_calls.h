/* gap_calls.h - in which call a thread was when: the outermost calls of each thread, until their time has been looked at. */
#pragma once
#include "analysis/trace/trace.h"

struct gap_call {
	uint64_t begin, end, slot;
	const char *name;
};

/* What a thread wrote into one ring; if it goes on in another, that is another one of these. */
struct gap_thread {
	uint32_t tid, ring;
	size_t first, end;     /* the numbers of those that are kept: by time, and none overlaps the next */
	struct gap_call *list; /* each at its number, */
	size_t capacity;       /* modulo this power of two */
	size_t next;	       /* the first that may end behind the moment asked for last */
	size_t found;	       /* that wrote the slot asked for last */
	uint64_t forgotten;    /* calls that ended until then are not all there */
};

static inline struct gap_call *gap_call_of(const struct gap_thread *t, size_t number)
{
	return &t->list[number & (t->capacity - 1)];
}

struct gap_calls {
	struct table threads; /* struct gap_thread by thread and ring */
	size_t now;	      /* of the call before */
};

#define GAP_CALLS ((struct gap_calls){ .threads = TABLE(struct gap_thread) })

/* Calls of one thread and ring, which come in the order in which they return. */
void gap_calls_take(struct gap_calls *c, const struct trace_event *list, size_t count);

/* The call that wrote there, or that it was made in. NULL: it is not there. */
const struct gap_call *gap_calls_at(const struct gap_calls *c, uint16_t ring, uint32_t slot, const struct gap_thread **thread);

/* Nobody will ask for what was before. */
void gap_calls_forget(struct gap_calls *c, uint64_t before);
void gap_calls_free(struct gap_calls *c);
