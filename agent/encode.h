/* encode.h - slots of a ring into the payload of a CHUNK_EVENTS (trace_file.h tells the format). */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "agent/event.h"

/*
 * The first ENCODE_TEMPLATES times TAG_NEW in a chunk define templates 0, 1, 2 ...; later ones are
 * plain events that define nothing. Part of the format: the reader counts the same way.
 */
#define ENCODE_TEMPLATES 8192
#define ENCODE_TABLE	 (2 * ENCODE_TEMPLATES) /* never more than half full */

#define ENCODE_SLOT_MAX	 44		       /* bytes of the longest slot */
#define ENCODE_GROUP_MAX (6 * ENCODE_SLOT_MAX) /* an event and what speaks of it */

struct encode_entry {
	uint64_t key, arg;
	uint32_t hook_stream;
	uint32_t generation; /* of another chunk: the entry is free */
	uint32_t number;
	uint32_t reserved;
};

/* Half a megabyte: lives in memory that is zero at first (mmap), not on a stack. */
struct encoder {
	uint8_t *out, *next, *end;
	uint64_t last_end;     /* of the event before */
	uint64_t device_begin; /* of the CTRL_DEVICE slot before */
	uint32_t events;       /* events, not control slots, since encode_begin() */
	uint32_t templates;
	uint32_t generation;
	struct encode_entry table[ENCODE_TABLE];
};

/* Starts the payload of a chunk in out. */
void encode_begin(struct encoder *e, uint8_t *out, size_t size);

/*
 * Appends up to n slots; returns how many. It stops early when the payload is full, and then never
 * between an event and the control slots that speak of it: a chunk begins with a whole record.
 */
size_t encode_slots(struct encoder *e, const struct event *slots, size_t n);

static inline size_t encode_size(const struct encoder *e)
{
	return (size_t)(e->next - e->out);
}
