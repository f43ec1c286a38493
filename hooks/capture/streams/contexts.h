/*
 * contexts.h - the streams of one vendor, and its contexts, each of which has a default stream of its own, that make their
 * table difficult. Where a program goes to one place alone nobody is asked for its context.
 */
#pragma once
#include "agent/record/handles.h"
#include "agent/record/record.h"

/*
 * What the vendor is asked, past our hooks. Values up to last_special are no handles of streams: 0 and 1 are the default stream of the
 * context, and a further one is that of the thread in it (thread_streams.h).
 */
struct contexts_calls {
	uintptr_t last_special;
	void *(*context)(void);						     /* this thread's; NULL: it has none */
	int32_t (*device)(void);					     /* the number of this thread's; negative: nobody knows */
	const char *(*device_name)(int32_t number, char *room, size_t size); /* room: for one that has no place; NULL: nobody knows */
	void *(*of_device)(int32_t number);				     /* the one that this device has of its own; NULL: nobody knows. May be NULL */
	const char *vendor;						     /* what a device is called then */
	uint64_t devices;						     /* in the table of devices: its number 0, less 1. Another one for each vendor */
};

#define NO_STREAM      ((void *)-1) /* the call has none */
#define NO_CONTEXT     ((void *)-1) /* one of which no stream was met */
#define DEFAULT_STREAM 1	    /* in the table, for the first context's */

/* One for each vendor, and all that is kept of its streams. */
struct streams {
	struct handles table; /* a = DEF_STREAM id, b = of pairs/timed_streams.c */
	_Atomic bool several; /* contexts: the default stream is another one in each. In one line of memory with the table */
	const struct contexts_calls *calls;

	/* contexts.c: */
	_Atomic uint64_t first_place;
	_Atomic(void *) first_context; /* whose is DEFAULT_STREAM */
	struct handles ends;	       /* contexts: a = how many have had this address and ended, ... */
	_Atomic uint64_t ended;	       /* ... besides those that ended nobody knows where */

	/* captures.c: */
	_Atomic int32_t capturing; /* how many there are */
	_Atomic uint32_t capture_changes;
	struct handles captures; /* streams between begin and end; a = how deep, b = whose context; 0: there was one */

	/* thread_streams.c: */
	struct handles threads; /* by their numbers: a = how many of that number have ended */
} __attribute__((aligned(32)));

void *contexts_here(const struct streams *of); /* this thread's; NULL: it has none */
void *contexts_other(struct streams *of);      /* the same; NULL: or it is the first one, whose streams have their numbers since there was one */

/* ---- in the table of streams ---- */

uint64_t contexts_special_stream(struct streams *of, void *stream);

/* last_special is a constant wherever it matters. */
ALWAYS_INLINE uint64_t contexts_stream_key(struct streams *of, void *stream, uintptr_t last_special)
{
	if (LIKELY((uintptr_t)stream > last_special))
		return (uintptr_t)stream;
	if (LIKELY(!atomic_load_explicit(&of->several, memory_order_relaxed)) && (last_special <= 1 || (uintptr_t)stream <= 1))
		return DEFAULT_STREAM;
	return contexts_special_stream(of, stream);
}

ALWAYS_INLINE uint64_t contexts_key(struct streams *of, void *stream)
{
	return contexts_stream_key(of, stream, of->calls->last_special);
}

/* Before a thread goes to a context that there is, to the one that a device has of its own, or to a new one. */
#define PLACE_DEVICE(number)   ((uint64_t)(number) + 1)
#define PLACE_CONTEXT(context) ((uint64_t)(uintptr_t)(context))
#define PLACE_NEW	       0
void contexts_go_to(struct streams *of, uint64_t place);

/*
 * Behind such a call that does not say it before: from one, or none, to one that was made, or was there. Where the former is known before
 * the call alone: contexts_before(), NULL where it does not matter. Where the latter is nobody's to say: contexts_left().
 */
void *contexts_before(const struct streams *of);
void contexts_went(struct streams *of, void *from, void *to);
void contexts_left(struct streams *of, void *from);

/* A context has ended; NULL: nobody knows which. */
void contexts_end(struct streams *of, const void *context);

/* The one that the device has of its own, where that is known, or is this thread's; else NULL. NO_CONTEXT: the thread, and all others, are elsewhere. */
void *contexts_of_device(const struct streams *of, int32_t number);

/* ---- devices: DEF_DEVICE ids ---- */

const char *contexts_device_name(const struct streams *of, int32_t number, char *text, size_t size); /* text */
int32_t contexts_number(const struct streams *of);						     /* of this thread's, as the vendor has it */
uint32_t contexts_device(const struct streams *of);						     /* of this thread's; 0: not known */
uint32_t contexts_device_numbered(const struct streams *of, int32_t number);
uint32_t contexts_device_known(const struct streams *of, int32_t number); /* 0: it was not met */
