/* chunk_writer.h - appends chunks to a trace file (for `recover`; the agent has its own). */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "agent/format/trace_file.h"

struct clock_reading {
	uint64_t ticks, monotonic, realtime;
};

struct chunk_writer {
	int fd;
	uint64_t offset; /* end of what is there; the next chunk goes on the next line */
	uint64_t sequence, file_id;
	struct clock_reading clock; /* what the next chunks tell */
	uint8_t *packed;
	size_t packed_capacity;
};

/*
 * Writes one chunk. The caller fills in type, flags and what belongs to its type; the rest is done
 * here, compression included where it helps. 0 or a negative errno.
 */
int chunk_writer_put(struct chunk_writer *w, struct chunk_header *h, const void *payload, size_t size);
void chunk_writer_free(struct chunk_writer *w);
