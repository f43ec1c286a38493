#include "analysis/util/parcel.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

/* ---- bytes ---- */

/* Where so many are put, or stand. */
static uint8_t *place(struct parcel *p, size_t size)
{
	uint8_t *at;

	if (p->opened) {
		p->broken |= size > p->size - p->used;
		if (p->broken)
			return NULL;
	} else if (size > p->size - p->used) {
		p->size = 2 * p->size > p->used + size ? 2 * p->size : p->used + size + 256;
		p->bytes = alloc_grow(p->bytes, p->size, 1);
	}
	at = p->bytes + p->used;
	p->used += size;
	return at;
}

const uint8_t *parcel_bytes(struct parcel *p, const void *bytes, size_t size)
{
	uint8_t *at = place(p, size);

	if (!p->opened && size)
		memcpy(at, bytes, size);
	return at;
}

/* ---- numbers: seven bits a byte, the lowest first ---- */

static void put(struct parcel *p, uint64_t n)
{
	while (n >= 0x80) {
		*place(p, 1) = (uint8_t)(n | 0x80);
		n >>= 7;
	}
	*place(p, 1) = (uint8_t)n;
}

static uint64_t take(struct parcel *p)
{
	uint64_t n = 0;
	const uint8_t *at;

	for (unsigned int shift = 0; shift < 64 && (at = place(p, 1)); shift += 7) {
		n |= (uint64_t)(*at & 0x7f) << shift;
		if (!(*at & 0x80))
			return n;
	}
	p->broken = true;
	return 0;
}

void parcel_u64(struct parcel *p, uint64_t *n)
{
	if (p->opened)
		*n = take(p);
	else
		put(p, *n);
}

/* The same of a type that holds numbers up to a limit. */
static uint64_t limited(struct parcel *p, uint64_t n, uint64_t most)
{
	parcel_u64(p, &n);
	if (n <= most)
		return n;
	p->broken = true;
	return 0;
}

void parcel_truth(struct parcel *p, bool *yes)
{
	*yes = limited(p, *yes, 1);
}

void parcel_u16(struct parcel *p, uint16_t *n)
{
	*n = (uint16_t)limited(p, *n, UINT16_MAX);
}

void parcel_u32(struct parcel *p, uint32_t *n)
{
	*n = (uint32_t)limited(p, *n, UINT32_MAX);
}

void parcel_word(struct parcel *p, unsigned int *word, unsigned int limit)
{
	*word = (unsigned int)limited(p, *word, limit - 1);
}

/* The sign is the lowest bit: small numbers stay short. */
void parcel_i64(struct parcel *p, int64_t *n)
{
	uint64_t folded = (uint64_t)*n << 1 ^ (uint64_t)(*n >> 63);

	parcel_u64(p, &folded);
	*n = (int64_t)(folded >> 1 ^ -(folded & 1));
}

void parcel_i32(struct parcel *p, int32_t *n)
{
	int64_t wide = *n;

	parcel_i64(p, &wide);
	p->broken |= wide < INT32_MIN || wide > INT32_MAX;
	*n = p->broken ? 0 : (int32_t)wide;
}

void parcel_double(struct parcel *p, double *n)
{
	const uint8_t *at = parcel_bytes(p, n, sizeof(*n));

	if (!at)
		*n = 0;
	else if (p->opened)
		memcpy(n, at, sizeof(*n));
}

void parcel_u64s(struct parcel *p, uint64_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		parcel_u64(p, &list[i]);
}

void parcel_expect(struct parcel *p, uint64_t number)
{
	uint64_t n = number;

	parcel_u64(p, &n);
	p->broken |= n != number;
}

/* ---- texts ---- */

/* Of one that is opened the text is none of ours, and no 0 is behind it. */
static const char *text_of(struct parcel *p, const char *text, uint64_t *size)
{
	*size = limited(p, *size, UINT32_MAX);
	return (const char *)parcel_bytes(p, text, *size);
}

void parcel_text(struct parcel *p, char **text)
{
	uint64_t size = p->opened ? 0 : strlen(*text);
	const char *at = text_of(p, *text, &size);

	if (p->opened)
		*text = alloc_text(at, at ? size : 0);
}

void parcel_text_or_none(struct parcel *p, char **text)
{
	bool some = *text;

	PARCEL(p, some);
	if (some)
		parcel_text(p, text);
	else
		*text = NULL;
}

void parcel_short_text(struct parcel *p, char *text, size_t room)
{
	uint64_t size = p->opened ? 0 : strlen(text);
	const char *at = text_of(p, text, &size);

	p->broken |= size >= room;
	if (!p->opened)
		return;
	if (p->broken)
		size = 0;
	memcpy(text, at ? at : "", size);
	text[size] = '\0';
}

void parcel_expect_text(struct parcel *p, const char *text)
{
	uint64_t size = strlen(text), wanted = size;
	const char *at = text_of(p, text, &size);

	p->broken |= size != wanted || !at || memcmp(at, text, size);
}

/* ---- lists ---- */

/* Room for one more; what is said to come is not believed before it is there. */
static uint8_t *grow(uint8_t *list, size_t i, size_t count, size_t item_size)
{
	size_t room = i ? 2 * i : 16;

	if (i >= 16 ? i & (i - 1) : i)
		return list;
	return alloc_grow(list, room < count ? room : count, item_size);
}

bool parcel_has(struct parcel *p, size_t i, void *list, size_t *count, size_t item_size)
{
	uint8_t *items = NULL;

	if (!i)
		parcel_u64(p, count);
	if (!p->opened)
		return i < *count;
	if (i)
		memcpy(&items, list, sizeof(items));
	if (p->broken)
		*count = i;
	if (i < *count) {
		items = grow(items, i, *count, item_size);
		memset(items + i * item_size, 0, item_size);
	}
	memcpy(list, &items, sizeof(items));
	return i < *count;
}
