/* gate.h - the one word that every hook looks at first. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"
#include "agent/base/relaxed.h"
#include "agent/format/event.h"
#include "agent/os/pages.h"
#include "agent/record/gate_bits.h"

/*
 * Low half: one bit for each enum kind_group that is recorded now, and the bits below. Those of record.h's INSIDE_ are
 * none of them.
 * High half: the epoch, a number that changes at every step boundary and never repeats in a session.
 *
 * The word lives in a page that the kernel wipes in a forked child. Zero therefore means "not
 * started here": the child's first call starts an agent of its own, and never writes to our rings.
 */
#define GATE_FLAGS(FLAG)                                                                                                     \
	FLAG(STARTED, GATE_BIT_STARTED) /* the agent has made up its mind about this process */                              \
	FLAG(HARVEST, 27)		/* device times may be pending: synchronising rows come in */                        \
	FLAG(WINDOW, GATE_BIT_WINDOW)	/* a window is open: every row comes in, to be recorded or counted */                \
	FLAG(CLOCK, GATE_BIT_CLOCK)	/* a kernel: step source wants to see every launch */                                \
	FLAG(SHAPES, GATE_BIT_SHAPES)	/* shapes are wanted, now or in a window that may still open */                      \
	FLAG(TRACK, 22)			/* a window may still open: rows that track handles come in */                       \
	FLAG(TIMES, 21)			/* in this step all calls have device times */                                       \
	FLAG(NESTED, 20)		/* calls that are made inside calls are recorded, too */                             \
	FLAG(MARKS, 19)			/* a marker: step source wants to see every range and mark */                        \
	FLAG(COLLECTIVES, 18)		/* a collective: step source wants to see each of them */                            \
	FLAG(TIME, GATE_BIT_TIME)	/* a time: step source wants launches to look at the time; GATE_CLOCK is set, too */ \
	FLAG(STACKS, 14)		/* calls are told with who asked for them */                                         \
	FLAG(TIMES_SOME, 15)		/* copies, fills and collectives have, in each step; set with GATE_TIMES, too */

enum gate_bit {
#define FLAG(name, bit) GATE_##name = BIT(bit),
	GATE_FLAGS(FLAG)
#undef FLAG

#define KIND(symbol, word, group) GATE_KIND_##symbol = BIT(GROUP_##group),
		EVENT_KINDS(KIND)
#undef KIND
};
_Static_assert(GROUPS <= 8, "theirs are the lowest bits, far from the others");

/* All that a word may have. */
#define FLAG(name, bit) | BIT(bit)
enum { GATE_BITS = (BIT(GROUPS) - 1) GATE_FLAGS(FLAG) };
#undef FLAG
#define FLAG(name, bit) +BIT(bit)
_Static_assert(GATE_BITS == (BIT(GROUPS) - 1) GATE_FLAGS(FLAG), "no bit is two flags'");
#undef FLAG

/* The bit for this kind, 0 for what stands for a kind where there is no event. */
ALWAYS_INLINE uint32_t gate_kind(unsigned int kind)
{
	static const uint32_t bits[EV_KINDS + 2] = {
#define KIND(symbol, word, group) [EV_##symbol] = BIT(GROUP_##group),
		EVENT_KINDS(KIND)
#undef KIND
	};

	return bits[kind];
}

#define GATE_KINDS 32

struct gate {
	_Alignas(LARGEST_PAGE) _Atomic uint64_t word;
	_Atomic uint64_t early[GATE_KINDS]; /* calls that could not be recorded yet, by kind: see gate_missed() */
	_Atomic int process;		    /* whose memory this is; not ours in a vfork child. 0: not known */
	_Atomic int listens;		    /* the word is 0, but the agent hears what Python tells: see steps.h */
	_Atomic uint32_t never;		    /* bits that no word of this process will have, by its settings; 0: not known */
	char page[LARGEST_PAGE - sizeof(uint64_t) * (GATE_KINDS + 1) - 3 * sizeof(int)];
};
_Static_assert(sizeof(struct gate) == LARGEST_PAGE, "whole pages, and nothing else in them");
extern struct gate gate OURS;

ALWAYS_INLINE uint64_t gate_load(void)
{
	return relaxed_load(&gate.word);
}

/* For slow paths: whoever sees the gate set also sees the session and all else that was made before. */
ALWAYS_INLINE uint64_t gate_acquire(void)
{
	return atomic_load_explicit(&gate.word, memory_order_acquire);
}

/* True if a row with these interests has nothing to do but forward. */
ALWAYS_INLINE bool gate_shut(uint32_t interests)
{
	return ((uint32_t)gate_load() & (interests | GATE_STARTED)) == GATE_STARTED;
}

/* A child of vfork() runs in its parent's memory, for a moment: nothing may be started, or taken, for it. */
ALWAYS_INLINE bool gate_is_borrowed(int pid)
{
	int process = atomic_load(&gate.process);

	return process && process != pid;
}

/* Could a window still open in this process? */
ALWAYS_INLINE bool gate_may_record(void)
{
	return (uint32_t)gate_load() & GATE_TRACK;
}

ALWAYS_INLINE uint32_t gate_epoch(uint64_t word)
{
	return (uint32_t)(word >> 32);
}

/* Has the agent started, in this process, for what Python tells alone? A hooked call, or a stage, makes it start in full. */
ALWAYS_INLINE bool gate_listens(void)
{
	return atomic_load_explicit(&gate.listens, memory_order_relaxed);
}

/* A call of this kind passes while the word is still 0: counted, should a window open with the start. */
void gate_missed(unsigned int kind);
bool gate_missed_any(void);

/* The agent has started: what was missed in the window that is open now could not be recorded. */
void gate_count_missed(void);

/* A file is closed: if no device time is awaited any more, rows that synchronise need not come in. */
void gate_times_done(void);
