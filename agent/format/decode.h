/* decode.h - slots out of the payload of a CHUNK_EVENTS: what agent/format/encode.c put in. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/format/event.h"
#include "agent/format/predict.h"
#include "agent/format/trace_file.h"

struct template
{
	uint64_t key, arg;
	uint16_t hook, stream;
	struct number_predictor duration;
};

struct decode_bits {
	const uint8_t *bytes, *last; /* last: eight bytes can be read from here, and no further on */
	uint64_t at, end;	     /* in bits; at is greater if more were wanted than there are */
};

struct decoder {
	struct events_header header;
	bool bad;		    /* the payload makes no sense from here on */
	const uint8_t *words, *end; /* what is left of them */
	struct decode_bits numbers;
	uint32_t templates;	    /* so far */
	uint64_t run;		    /* slots that are as guessed, before the next word says otherwise */
	uint16_t number;	    /* of the template of this slot */
	struct template numberless; /* when there are too many */
	struct predictor predictor;
	struct template template[GUESS_TEMPLATES];
};

void decode_begin(struct decoder *d, const uint8_t *payload, size_t size);

/* Up to n slots; fewer at the end, or where the payload is bad. Returns how many. */
size_t decode_slots(struct decoder *d, struct event *slots, size_t n);

/* The same, made for any processor. */
size_t decode_slots_anywhere(struct decoder *d, struct event *slots, size_t n);
