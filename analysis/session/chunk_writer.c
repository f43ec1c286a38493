#include "analysis/session/chunk_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "agent/base/crc32c.h"
#include "analysis/util/alloc.h"

#define WORTH_PACKING 256

static int write_at(int fd, const void *data, size_t size, uint64_t offset)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = pwrite(fd, (const char *)data + done, size - done,
				   (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		done += (size_t)n;
	}
	return 0;
}

/* Returns the packed size, or 0 if packing gains nothing. */
static size_t pack(struct chunk_writer *w, uint16_t type, const void *payload, size_t size)
{
	size_t room = ZSTD_compressBound(size), n;

	if (size < WORTH_PACKING)
		return 0;
	if (room > w->packed_capacity) {
		w->packed = alloc_grow(w->packed, room, 1);
		w->packed_capacity = room;
	}
	n = ZSTD_compress(w->packed, room, payload, size, 1);
	return ZSTD_isError(n) || n >= size || chunk_is_packed_too_far(type, (uint32_t)size, n) ? 0 : n;
}

int chunk_writer_put(struct chunk_writer *w, struct chunk_header *h, const void *payload, size_t size)
{
	uint64_t at = (w->offset + CHUNK_ALIGN - 1) & ~(uint64_t)(CHUNK_ALIGN - 1);
	size_t packed = pack(w, h->type, payload, size);
	int err;

	h->magic = CHUNK_MAGIC;
	h->major = TRACE_MAJOR;
	h->minor = TRACE_MINOR;
	h->file_id = w->file_id;
	h->sequence = w->sequence;
	h->ticks = w->clock.ticks;
	h->monotonic = w->clock.monotonic;
	h->realtime = w->clock.realtime;
	h->raw_length = (uint32_t)size;
	h->length = (uint32_t)size;
	if (packed) {
		h->flags |= CHUNK_ZSTD;
		h->length = (uint32_t)packed;
		payload = w->packed;
	}
	h->payload_crc = crc32c(0, payload, h->length);
	h->header_crc = crc32c(0, h, offsetof(struct chunk_header, header_crc));

	/* The gap up to `at` stays a hole, and reads as zeros. */
	err = write_at(w->fd, h, sizeof(*h), at);
	if (!err)
		err = write_at(w->fd, payload, h->length, at + sizeof(*h));
	if (err)
		return err;
	w->offset = at + sizeof(*h) + h->length;
	w->sequence++;
	return 0;
}

void chunk_writer_free(struct chunk_writer *w)
{
	free(w->packed);
	w->packed = NULL;
}
