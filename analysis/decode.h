/* decode.h - slots out of the payload of a CHUNK_EVENTS: what agent/encode.c put in. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/encode.h"
#include "agent/event.h"

struct template
{
	uint64_t key, arg;
	uint16_t hook, stream;
};

struct decoder {
	const uint8_t *next, *end;
	bool bad; /* the payload makes no sense from `next` on */
	uint64_t last_end, device_begin;
	uint32_t templates;
	struct template table[ENCODE_TEMPLATES];
};

void decode_begin(struct decoder *d, const uint8_t *payload, size_t size);

/* The next slot; false at the end, or where the payload is bad. */
bool decode_slot(struct decoder *d, struct event *slot);
