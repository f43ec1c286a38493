/* rings.h - one ring a thread: one producer, one consumer, in memory that survives kill -9. */
#pragma once
#include "agent/base/attributes.h"
#include "agent/format/event.h"
#include "agent/format/trace_file.h"

#define RINGS_MAX  16384 /* beyond what shm_size allows, most often */
#define RING_SLOTS 32768 /* of a ring with the usual shm_size: 1 MiB */

ALWAYS_INLINE struct event *ring_slots(struct ring_header *r)
{
	return (struct event *)((char *)r + SESSION_PAGE);
}

/*
 * A ring for the calling thread: an orphan (its unread slots stay, a CTRL_THREAD slot tells the new
 * owner), a spare one, or a new one. NULL beyond the caps: the call is then dropped and counted.
 */
struct ring_header *rings_acquire(void);

/* The owner is gone. The next thread may take the ring over at once, unread slots and all. */
void ring_orphan(struct ring_header *r);

/* Keeps `spare` unowned rings ready with their pages touched; called by the flush thread. */
void rings_prepare(unsigned int spare);

unsigned int rings_count(void);
struct ring_header *rings_at(unsigned int i);

void rings_end(void);	 /* unlinks their files */
void rings_forget(void); /* in a forked child */
