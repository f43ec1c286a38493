/* bytes.h - messages of protocol buffers, field by field, in memory that grows. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	uint8_t *data;
	size_t used, capacity;
};

void bytes_more(struct bytes *b, size_t size); /* room for so many */

static inline void bytes_room(struct bytes *b, size_t size)
{
	if (b->capacity - b->used < size)
		bytes_more(b, size);
}

/* A varint, the shorter the smaller. Returns its end. */
static inline uint8_t *varint_put(uint8_t *to, uint64_t n)
{
	for (; n >= 128; n >>= 7)
		*to++ = (uint8_t)(n | 128);
	*to = (uint8_t)n;
	return to + 1;
}

static inline void bytes_varint(struct bytes *b, uint64_t n)
{
	bytes_room(b, 10);
	b->used = (size_t)(varint_put(b->data + b->used, n) - b->data);
}

/* A field that is a whole number, an enumeration or a truth value. */
static inline void bytes_number(struct bytes *b, uint32_t field, uint64_t n)
{
	bytes_room(b, 15);
	b->used = (size_t)(varint_put(varint_put(b->data + b->used, field << 3), n) - b->data);
}

/* A field of the type fixed64. */
static inline void bytes_fixed(struct bytes *b, uint32_t field, uint64_t n)
{
	bytes_varint(b, field << 3 | 1);
	bytes_room(b, sizeof(n));
	memcpy(b->data + b->used, &n, sizeof(n)); /* little-endian, as we are */
	b->used += sizeof(n);
}

/* A field that is a text or another message. */
static inline void bytes_piece(struct bytes *b, uint32_t field, const void *data, size_t size)
{
	bytes_varint(b, field << 3 | 2);
	bytes_varint(b, size);
	bytes_room(b, size);
	if (size)
		memcpy(b->data + b->used, data, size);
	b->used += size;
}

/* A message whose fields come now, up to bytes_close(); returns where its length stands, in two bytes: it may have 16383. */
static inline size_t bytes_open(struct bytes *b, uint32_t field)
{
	bytes_varint(b, field << 3 | 2);
	bytes_room(b, 2);
	b->used += 2;
	return b->used - 2;
}

static inline void bytes_close(struct bytes *b, size_t at)
{
	size_t length = b->used - at - 2;

	b->data[at] = (uint8_t)(length | 128);
	b->data[at + 1] = (uint8_t)(length >> 7);
}

/* A text, with '?' for what may not be shown, or is none. */
void bytes_text(struct bytes *b, uint32_t field, const char *text);

static inline void bytes_message(struct bytes *b, uint32_t field, const struct bytes *message)
{
	bytes_piece(b, field, message->data, message->used);
}

void bytes_free(struct bytes *b);
