/* encode.h - slots of a ring into the payload of a CHUNK_EVENTS (trace_file.h tells the format). */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/format/event.h"
#include "agent/format/predict.h"

#define ENCODE_TABLE	 (2 * GUESS_TEMPLATES) /* never more than half full */

/* Bytes of the longest slot: words and numbers each have half of it. And of an event with all that speaks of it: so many slots. */
#define ENCODE_SLOT_MAX	 64
#define ENCODE_GROUP	 7
#define ENCODE_GROUP_MAX (ENCODE_GROUP * ENCODE_SLOT_MAX)
#define ENCODE_STORE	 8 /* bytes that are written at once */

struct encode_template {
	uint64_t key, arg;
	uint32_t hook_stream;
	uint32_t reserved;
	struct number_predictor duration;
};

static inline uint16_t encode_hook_of(const struct encode_template *t)
{
	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the low half");
	return (uint16_t)t->hook_stream;
}

/* How to divide by the unit of a clock: exact, or not at all. */
struct encode_unit {
	uint32_t unit;
	unsigned int zeros; /* low bits of unit that are 0, */
	uint64_t rest;	    /* which are those that must be 0 in a value */
	uint64_t inverse;   /* of the rest, modulo 2^64 */
};

struct encode_bits {
	uint8_t *next;
	uint64_t bits; /* not all in memory yet */
	unsigned int count;
};

/* Half a megabyte: lives in memory that is zero at first (mmap), not on a stack. */
struct encoder {
	uint8_t *out, *end;	     /* where the payload goes: */
	struct encode_bits numbers;  /* numbers from its begin on, */
	uint8_t *first_word, *words; /* words from its middle on */
	uint32_t events;	     /* events, not control slots, since encode_begin() */
	uint32_t run, templates;     /* run: slots that were as guessed, since the last word */
	struct encode_unit host, device;
	struct predictor predictor;
	struct encode_template template[GUESS_TEMPLATES];
	uint16_t table[ENCODE_TABLE]; /* hash: template number + 1; 0: free */
};

/* Starts the payload of a chunk in out. */
void encode_begin(struct encoder *e, uint8_t *out, size_t size);

/* From here on slots are of another epoch, or thread. */
static inline bool encode_is_context(const struct event *slot)
{
	_Static_assert(CTRL_THREAD == CTRL_STEP + 1, "one behind the other");
	return (uint16_t)(slot->hook - CTRL_STEP) <= 1;
}

/*
 * Appends up to n slots; returns how many. It stops early when the payload is full, and then never
 * between an event and the control slots that speak of it: a chunk begins with a whole record.
 */
size_t encode_slots(struct encoder *e, const struct event *slots, size_t n);

/* The same, but that it stops before a context that is not the first slot. 0: the payload is full. */
size_t encode_until_context(struct encoder *e, const struct event *slots, size_t n);

/* encode_slots(), of instructions that every processor of this architecture has. */
size_t encode_slots_anywhere(struct encoder *e, const struct event *slots, size_t n);

/* The payload is complete; returns how many bytes of out it has. */
size_t encode_end(struct encoder *e);
