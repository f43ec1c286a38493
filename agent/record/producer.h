/* producer.h - what a thread has while it records: its ring from its first call on, handed on when it ends. */
#pragma once
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/format/event.h"
#include "agent/record/gate.h"
#include "agent/record/rings.h"

#define SLOTS_AT_MOST  11 /* of a call: thread, step, lost, event, long, result, address, items, nested, captured, stack; totals come without those before it */

/* Bits of producer.inside beside those of the kinds; no word of the gate has them. */
#define INSIDE	       BIT(28) /* always */
#define INSIDE_WRITING BIT(29) /* this thread is writing a slot: a signal handler must not */
#define INSIDE_AGENT   BIT(30) /* this thread runs our own slow path */
#define INSIDE_KINDS   (BIT(28) - 1)
_Static_assert(EV_KINDS <= 28, "kinds fit into INSIDE_KINDS");
_Static_assert(!(GATE_BITS & (INSIDE | INSIDE_WRITING | INSIDE_AGENT)),
	       "a word of the gate is not taken for what a thread is inside of");

/* glibc opens no library late that wants more for its thread-local memory than glibc's own has: dlopen() refuses it. */
#if defined(__aarch64__)
#define PRODUCER_ALIGNMENT 16 /* so it may stand in two lines; what every call touches comes first */
#else
#define PRODUCER_ALIGNMENT 64
#endif

/*
 * All that a call touches in TLS, in one cache line.
 *
 * `ready` is one word with two uses. Between two calls it is the gate's word under which the last slot
 * was written, if a call under the same word may go the short way: everything that depends on the word
 * was looked at then. At any other time its low half says what this thread is inside of, and INSIDE,
 * which no word of the gate has, tells the two apart. The high half is an epoch in either.
 *
 * Where caches are cold a call costs what the lines of memory cost that it touches. A launch the short
 * way touches seven: the row's real function, the gate, this one and the entry of the GOT that leads
 * here, the line in launch_cache.h and its stamp, the ring's first line; and half a one for the slot, asked
 * for four slots ahead. (The slow path also walks two or three tables of handles, each a line and a page.)
 */
struct producer {
	_Alignas(PRODUCER_ALIGNMENT) struct ring_header *ring;
	union {
		uint64_t ready;
		struct {
			uint32_t inside; /* kinds that this thread is in, and INSIDE_* */
			uint32_t epoch;	 /* epoch of the ring's last CTRL_STEP slot */
		};
	};
	uint64_t word; /* the gate's, when the last slot was written outside of other calls */
	union {
		struct event *slot; /* the next one */
		uint64_t unplaced;  /* without a ring: calls dropped for that */
	};
	union {
		struct event *end;	 /* slots may be written up to here before tail is read again */
		uint64_t unplaced_since; /* ticks at the first of them */
	};
	struct launch *launches; /* this thread's, see launch_cache.h; NULL: none */
	uint32_t generation;	 /* of the session that ring belongs to */
	bool unannounced;	 /* the end of this thread would not be noticed yet: see producer_notice_end() */
	uint8_t left_out;	 /* it is in a call of this kind + 1 that the level leaves out; 0: in none */
	uint16_t guest;		 /* the guest's own: number of what it keeps for this thread; 0: nothing */
	void *provider;		 /* a function of the library that the last call went to, if there are several */
};
_Static_assert(sizeof(struct producer) == 64, "as long as a cache line");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the epoch is the high half");
extern __thread struct producer producer __attribute__((tls_model("initial-exec")));

/* Gets a ring, notices forks and new epochs. False: the call passes unrecorded (and counted). */
bool producer_prepare(void);

/* The ring is full: goes on in another, with everything that is of the thread. False: there is none to be had. */
bool producer_next_ring(void);

/* The kernel's number of this thread. */
static inline uint64_t producer_thread(void)
{
	return producer.ring ? atomic_load_explicit(&producer.ring->tid, memory_order_relaxed) : (uint64_t)syscall(SYS_gettid);
}

/* Arranges that this thread's ring is handed on when it ends. False: not now, try again. */
bool producer_notice_end(void);

/* Where the next slot is, and up to where slots may be written without another look at the ring's tail. */
void producer_set_position(struct producer *p, uint64_t next);

/* For a signal handler on this thread: what stands above has happened, what stands below has not. */
ALWAYS_INLINE void record_barrier(void)
{
	__asm__ volatile("" ::
				 : "memory");
}

/* What this thread is inside of, be it nothing, when producer.inside is this. */
ALWAYS_INLINE uint32_t record_inside(uint32_t inside)
{
	return inside & INSIDE ? inside : INSIDE;
}

/* What stands for a kind where there is no event has no bit, or one that nobody looks at. */
ALWAYS_INLINE uint32_t record_inside_kind(unsigned int kind)
{
	return BIT(kind) & INSIDE_KINDS;
}
