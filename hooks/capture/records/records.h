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

/* For the tool: a buffer, or NULL; and the same with what was written to it. */
uint8_t *records_buffer(size_t *size);
void records_bring(struct records *r, uint8_t *buffer, size_t valid);

/* ---- by one thread at a time ---- */

/* Each buffer that has come. */
void records_read(struct records *r, void (*read)(uint8_t *buffer, size_t valid));

/* What a record said. */
void records_number(struct records *r, uint64_t correlation, uint64_t number);
void records_span(struct records *r, unsigned int of, uint64_t correlation, const struct span *span);

/* NULL: no record of this call has come. */
const struct told *records_of(const struct records *r, uint64_t number);
