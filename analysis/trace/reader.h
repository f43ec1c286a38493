/* reader.h - the whole chunks of a trace file, whatever happened to the rest of it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/format/trace_file.h"

struct loss {
	uint64_t bad_chunks;	 /* header whole, payload not */
	uint64_t skipped_bytes;	 /* between chunks */
	uint64_t missing_chunks; /* gaps in the sequence */
	uint64_t foreign_chunks; /* of another file: stale blocks of the disk */
	uint64_t unknown_chunks; /* of a type that a newer version writes */
	uint64_t tail_bytes;	 /* behind the last whole chunk */
};

struct chunk {
	struct chunk_header header;
	const uint8_t *stored; /* as it stands in the file; good until the next call */
	uint64_t offset;
};

struct reader {
	const char *path;
	int fd;
	uint64_t offset, size;
	uint8_t *buffer; /* a window of the file from `base` on */
	uint64_t base;
	size_t filled, capacity;
	uint8_t *raw;
	size_t raw_capacity;
	void *zstd;
	bool have_id, newer; /* newer: chunks of a later major version were left out */
	uint64_t file_id, sequence;
	uint64_t wasted; /* bytes summed up in vain */
	struct loss loss;
};

/* Reads up to `limit` bytes; UINT64_MAX: all that is there now. 0 or a negative errno. */
int reader_open(struct reader *r, const char *path, uint64_t limit);

/*
 * The next whole chunk; false at the end. Takes time in proportion to what the file holds, holes left out, whatever that is,
 * and holds at most 64 MiB.
 */
bool reader_next(struct reader *r, struct chunk *chunk);

/* Its payload, decompressed; NULL (and a bad chunk more) if that fails. */
const uint8_t *reader_payload(struct reader *r, const struct chunk *chunk, size_t *size);

void reader_close(struct reader *r);
void loss_add(struct loss *sum, const struct loss *one);
