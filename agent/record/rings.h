/* rings.h - one ring a thread: one producer, one consumer, in memory that survives kill -9. */
#pragma once
#include <stdbool.h>
#include "agent/base/attributes.h"
#include "agent/format/event.h"
#include "agent/format/session_files.h"

#define RINGS_MAX  16384 /* beyond what shm_size allows, most often */
#define RING_SLOTS 32768 /* of a ring with the usual shm_size: 1 MiB */

ALWAYS_INLINE struct event *ring_slots(struct ring_header *r)
{
	return (struct event *)((char *)r + SESSION_PAGE);
}

/*
 * A ring for the calling thread: a spare one, an orphan (its unread slots stay, a CTRL_THREAD slot tells the new
 * owner), or a new one. NULL beyond the caps: the call is then dropped and counted.
 */
struct ring_header *rings_acquire(void);

/* Another for a thread whose ring is full: an empty one. NULL: there is none to be had. */
struct ring_header *rings_next(void);

/* None was to be had, and the flush thread has emptied none since: no use asking. */
bool rings_are_out(void);

/* The owner is gone. The next thread may take the ring over at once, unread slots and all. */
void ring_orphan(struct ring_header *r);

/*
 * By the flush thread. Keeps unowned rings ready with their pages touched: `spare`, and twice as many each time that threads
 * had to go on in another; when none had to for a second, gives what is too much back to the system.
 */
void rings_prepare(unsigned int spare);

/* By the flush thread, when it has emptied rings: some may be had again. */
void rings_emptied(void);

/* By the flush thread: nothing will be recorded any more. */
void rings_no_more(void);

/* Is there too much, to be looked at in a second? */
bool rings_are_many(void);

unsigned int rings_count(void);
struct ring_header *rings_at(unsigned int i);

void rings_end(void);	 /* unlinks their files */
void rings_forget(void); /* in a forked child */
