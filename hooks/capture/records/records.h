/*
 * records.h - what a vendor's tool tells of work on the device. Its records come in buffers of ours, on any thread; whoever brings one puts
 * it down and goes. They are read by one thread at a time. A record of work has a correlation, and another record says which number
 * of ours that has; either may come first.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From the first of some work to the last, ns of the tool's clock. */
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

struct filled;
struct correlated;
struct records {
	_Atomic(struct filled *) arrived; /* a stack: the last comes first */
	struct told *tolds;
	struct correlated *correlated;
};

void span_add(struct span *sum, const struct span *more);

#define TOLD (1u << 16) /* calls that are known at a time: number % TOLD */

bool records_room(struct records *r); /* false: there is no memory */

/* For the tool, which asks for a buffer, and brings it with what was written to it. */
void records_request(uint8_t **buffer, size_t *size, size_t *most);
void records_bring(struct records *r, uint8_t *buffer, size_t valid);

/* ---- by one thread at a time ---- */

/* Each record in the buffers that have come: next() finds the one behind *record, the first one behind NULL, and answers other than 0 behind the last. */
typedef int record_next(uint8_t *buffer, size_t valid, void **record);
void records_read(struct records *r, record_next *next, void (*take)(const void *record));

/* What a record said. */
void records_number(struct records *r, uint64_t correlation, uint64_t number);
void records_span(struct records *r, unsigned int of, uint64_t correlation, const struct span *span);

/* NULL: no record of this call has come. */
const struct told *records_of(const struct records *r, uint64_t number);
