#include "analysis/trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "agent/base/crc32c.h"
#include "analysis/util/alloc.h"

#define READ_AHEAD (256u << 10)
#define WASTE_MAX  (256u << 20) /* bytes of damaged chunks that are looked into a second time */

int reader_open(struct reader *r, const char *path, uint64_t limit)
{
	struct stat st;
	int err;

	*r = (struct reader){ .path = path, .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
	if (r->fd < 0)
		return -errno;
	if (fstat(r->fd, &st)) {
		err = -errno;
		goto close;
	}
	err = -EINVAL;
	if (!S_ISREG(st.st_mode))
		goto close;
	r->size = (uint64_t)st.st_size < limit ? (uint64_t)st.st_size : limit;
	return 0;
close:
	close(r->fd);
	r->fd = -1;
	return err;
}

static bool fill(struct reader *r, uint64_t offset, size_t size)
{
	size_t want = size > READ_AHEAD ? size : READ_AHEAD;

	if (want > r->size - offset)
		want = (size_t)(r->size - offset);
	if (want > r->capacity) {
		r->buffer = alloc_grow(r->buffer, want, 1);
		r->capacity = want;
	}
	r->base = offset;
	for (r->filled = 0; r->filled < want;) {
		ssize_t n = pread(r->fd, r->buffer + r->filled, want - r->filled,
				  (off_t)(offset + r->filled));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		r->filled += (size_t)n;
	}
	return r->filled >= size;
}

/* Bytes of the file, good until the next call; NULL if they are not all there. */
static const uint8_t *bytes_at(struct reader *r, uint64_t offset, size_t size)
{
	if (size > r->size || offset > r->size - size)
		return NULL;
	if (offset < r->base || offset + size > r->base + r->filled) {
		if (!fill(r, offset, size))
			return NULL;
	}
	return r->buffer + (offset - r->base);
}

static bool header_valid(struct reader *r, const uint8_t *bytes, struct chunk_header *h)
{
	memcpy(h, bytes, sizeof(*h));
	if (h->magic != CHUNK_MAGIC ||
	    h->header_crc != crc32c(0, bytes, offsetof(struct chunk_header, header_crc)))
		return false;
	if (h->major > TRACE_MAJOR)
		r->newer = true;
	return h->major >= TRACE_OLDEST && h->major <= TRACE_MAJOR && h->length <= CHUNK_MAX && h->raw_length <= CHUNK_MAX;
}

static bool payload_valid(struct reader *r, uint64_t offset, struct chunk *chunk)
{
	chunk->stored = bytes_at(r, offset + sizeof(chunk->header), chunk->header.length);
	return chunk->stored &&
	       crc32c(0, chunk->stored, chunk->header.length) == chunk->header.payload_crc;
}

static bool whole_chunk_at(struct reader *r, uint64_t offset, const uint8_t *bytes,
			   struct chunk *chunk)
{
	if (!header_valid(r, bytes, &chunk->header))
		return false;
	if (r->have_id && chunk->header.file_id != r->file_id) {
		r->loss.foreign_chunks++;
		return false;
	}
	if (!payload_valid(r, offset, chunk)) {
		r->loss.bad_chunks++;
		r->wasted += chunk->stored ? chunk->header.length : 0;
		return false;
	}
	chunk->offset = offset;
	return true;
}

static void accept_chunk(struct reader *r, const struct chunk *chunk)
{
	const struct chunk_header *h = &chunk->header;
	uint64_t next = chunk->offset + sizeof(*h) + h->length;

	r->loss.skipped_bytes += chunk->offset - r->offset;
	r->offset = (next + CHUNK_ALIGN - 1) & ~(uint64_t)(CHUNK_ALIGN - 1);
	r->have_id = true;
	r->file_id = h->file_id;
	if (h->sequence > r->sequence)
		r->loss.missing_chunks += h->sequence - r->sequence;
	if (h->sequence >= r->sequence)
		r->sequence = h->sequence + 1;
	if (h->type < CHUNK_FILE || h->type >= CHUNK_TYPES)
		r->loss.unknown_chunks++;
}

/*
 * Never trusts the length of a broken chunk: a recovered one may lie inside its claim. Unless the
 * file is full of claims: then each byte is looked at once.
 */
static uint64_t step(const struct reader *r, uint64_t at, uint64_t wasted_before)
{
	uint64_t claim = r->wasted > WASTE_MAX ? r->wasted - wasted_before : 0;

	return (at + claim + CHUNK_ALIGN) & ~(uint64_t)(CHUNK_ALIGN - 1);
}

/*
 * No chunk begins in a hole, and a file of any size may be nothing else: the file system knows where data go on. Where it does
 * not, all is data.
 */
static uint64_t behind_hole(const struct reader *r, uint64_t at)
{
	off_t data;

	if (at >= r->size || (at >= r->base && at + sizeof(struct chunk_header) <= r->base + r->filled))
		return at;
	data = lseek(r->fd, (off_t)at, SEEK_DATA);
	if (data < 0)
		return errno == ENXIO ? r->size : at; /* a hole to the end */
	return (uint64_t)data & ~(uint64_t)(CHUNK_ALIGN - 1);
}

bool reader_next(struct reader *r, struct chunk *chunk)
{
	const uint8_t *bytes;
	uint64_t at, wasted = r->wasted;

	for (at = r->offset; (bytes = bytes_at(r, at = behind_hole(r, at), sizeof(chunk->header))); at = step(r, at, wasted)) {
		wasted = r->wasted;
		if (!whole_chunk_at(r, at, bytes, chunk))
			continue;
		accept_chunk(r, chunk);
		return true;
	}
	r->loss.tail_bytes = r->size > r->offset ? r->size - r->offset : 0;
	return false;
}

const uint8_t *reader_payload(struct reader *r, const struct chunk *chunk, size_t *size)
{
	const struct chunk_header *h = &chunk->header;
	size_t got;

	*size = h->length;
	if (!(h->flags & CHUNK_ZSTD))
		return chunk->stored;

	*size = h->raw_length;
	if (chunk_is_packed_too_far(h->type, h->raw_length, h->length)) {
		r->loss.bad_chunks++;
		return NULL;
	}
	if (h->raw_length > r->raw_capacity || !r->raw) {
		r->raw_capacity = h->raw_length + 1;
		r->raw = alloc_grow(r->raw, r->raw_capacity, 1);
	}
	if (!r->zstd)
		r->zstd = ZSTD_createDCtx();
	got = ZSTD_decompressDCtx(r->zstd, r->raw, h->raw_length, chunk->stored, h->length);
	if (ZSTD_isError(got) || got != h->raw_length) {
		r->loss.bad_chunks++;
		return NULL;
	}
	return r->raw;
}

void reader_close(struct reader *r)
{
	if (r->fd >= 0)
		close(r->fd);
	ZSTD_freeDCtx(r->zstd);
	free(r->buffer);
	free(r->raw);
	*r = (struct reader){ .fd = -1 };
}

void loss_add(struct loss *sum, const struct loss *one)
{
	sum->bad_chunks += one->bad_chunks;
	sum->skipped_bytes += one->skipped_bytes;
	sum->missing_chunks += one->missing_chunks;
	sum->foreign_chunks += one->foreign_chunks;
	sum->unknown_chunks += one->unknown_chunks;
	sum->tail_bytes += one->tail_bytes;
}
