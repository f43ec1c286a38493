/*
 * mspti_records.h - what msPTI's records tell of calls. They come in buffers of ours, on any thread; whoever brings one puts
 * it down and goes. They are read by one thread at a time.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "hooks/ascend/abi/mspti_abi.h"

typedef msptiResult mspti_next(uint8_t *, size_t, mspti_record **);

/* From the first of some work to the last. */
struct span {
	uint64_t begin, end;
	uint32_t device, records;
	bool wrong; /* times that cannot be */
};

/* What is known of a call by now. */
enum { OF_KERNELS,
       OF_COLLECTIVES,
       OF_ALL };
struct told {
	uint64_t number; /* of the call */
	struct span of[OF_ALL];
};

void mspti_span_add(struct span *sum, const struct span *more);

#define TOLD (1u << 16) /* calls that are known at a time: number % TOLD */

bool mspti_records_room(void); /* false: there is no memory */

/* For msPTI: a buffer, and the same with what was written to it. */
void mspti_records_request(uint8_t **buffer, size_t *size, size_t *most);
void mspti_records_complete(uint8_t *buffer, size_t size, size_t valid);

/* ---- by one thread at a time ---- */

/* Reads the buffers that have come. */
void mspti_records_read(mspti_next *next);

/* NULL: no record of this call has come. */
const struct told *mspti_records_of(uint64_t number);
