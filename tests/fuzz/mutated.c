/*
 * mutated N SEED TRACE... - N traces, made of these: taken apart into chunks, unpacked, changed where they have their numbers, texts
 * and sizes, and packed again. libFuzzer, which knows bytes, hardly gets behind packing and lengths. The one that broke a promise
 * lies in ./mutated-SEED.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "agent/base/crc32c.h"
#include "agent/format/trace_file.h"
#include "tests/fuzz/fuzz.h"

#define FILES	 64
#define CHUNKS	 64
#define UNPACKED (1u << 18)
#define INPUT	 (1u << 20)
#define SECONDS	 60
#define COUNT(x) (sizeof(x) / sizeof(*(x)))

struct piece {
	struct chunk_header header;
	uint8_t *bytes;
	size_t size;
};

static struct source {
	struct piece piece[CHUNKS];
	unsigned int count;
} sources[FILES];
static unsigned int source_count;

/* ---- chance ---- */

static uint64_t seed;

static uint64_t chance(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static bool one_in(unsigned int n)
{
	return !chance(n);
}

/* Of those that limits lie at, or any. */
static uint64_t number(void)
{
	static const uint64_t limits[] = { 0, 1, 8, 63, 64, 127, 128, 255, 256, 511, 512, 8192, 65535, 65536, 1u << 24, INT32_MAX,
					   UINT32_MAX, 1ull << 32, 1000000000, INT64_MAX, UINT64_MAX };

	return one_in(4) ? (chance(UINT64_MAX) >> chance(64)) : limits[chance(COUNT(limits))] + chance(3) - 1;
}

static void put_number(uint8_t *at, size_t room)
{
	uint64_t n = number();
	size_t size = 1u << chance(4);

	memcpy(at, &n, size < room ? size : room);
}

/* ---- what is changed ---- */

static void change_bytes(uint8_t *bytes, size_t size)
{
	size_t at, n, to;

	if (!size)
		return;
	at = chance(size);
	switch (chance(3)) {
	case 0:
		bytes[at] ^= (uint8_t)(1u << chance(8));
		break;
	case 1:
		put_number(bytes + (at & ~7ull), size - (at & ~7ull));
		break;
	default:
		to = chance(size);
		n = chance(size - (at > to ? at : to)) + 1;
		memmove(bytes + to, bytes + at, n);
	}
}

static size_t padded(const uint8_t *definition)
{
	struct definition d;

	memcpy(&d, definition, sizeof(d));
	return ((size_t)d.length + 7) & ~(size_t)7;
}

static size_t change_definition(uint8_t *bytes, size_t size)
{
	size_t places[512], n = 0, at = 0, length;
	struct definition d;

	while (n < COUNT(places) && at + sizeof(d) <= size && padded(bytes + at) >= sizeof(d) && at + padded(bytes + at) <= size) {
		places[n++] = at;
		at += padded(bytes + at);
	}
	if (!n)
		return size;
	at = places[chance(n)];
	length = padded(bytes + at);
	memcpy(&d, bytes + at, sizeof(d));
	switch (chance(5)) {
	case 0:
		d.length = (uint32_t)number();
		break;
	case 1:
		d.type = (uint16_t)chance(24);
		break;
	case 2:
		d.id = number();
		break;
	case 3:
		change_bytes(bytes + at + sizeof(d), length - sizeof(d));
		return size;
	default: /* once more, as another */
		if (size + length > UNPACKED)
			return size;
		memcpy(bytes + size, bytes + at, length);
		at = size;
		size += length;
		d.type = (uint16_t)chance(24);
	}
	memcpy(bytes + at, &d, sizeof(d));
	return size;
}

static void change_events(uint8_t *bytes, size_t size)
{
	struct events_header h;
	size_t words;

	if (size <= sizeof(h))
		return;
	memcpy(&h, bytes, sizeof(h));
	words = sizeof(h) + h.numbers < size ? sizeof(h) + h.numbers : size - 1;
	switch (chance(3)) {
	case 0:
		put_number(bytes + 4 * chance(4), 4);
		break;
	case 1:
		change_bytes(bytes + sizeof(h), words - sizeof(h));
		break;
	default:
		change_bytes(bytes + words, size - words);
	}
}

static size_t add_line(uint8_t *bytes, size_t size)
{
	static const char *const lines[] = {
		"rank=-1\n",
		"rank=99999999999999999999\n",
		"tick_hz=0\n",
		"tick_hz=18446744073709551615\n",
		"clock=ns\n",
		"clock=tsc\n",
		"entered=18446744073709551615\n",
		"dropped=9223372036854775807\n",
		"in_call.1=clFinish\n",
		"start_ns=0\n",
		"world=0\n",
		"library=/x\033[31m\n",
		"command=</script><script>\"\\\n",
		"step_source=kernel:(((((((\n",
		"steps=1-\n",
		"ranks=0\n",
		"unrecorded.clFinish=99999999999999999999\n",
		"cause=\n",
		"job=../../..\n",
		"host=\x80\n",
		"provisional_to=-1\n",
		"window=step--9223372036854775808\n",
		"last_step=-9223372036854775808\n",
		"lost_definitions=-5\n",
		"file_id=zz\n",
	};
	const char *line = lines[chance(COUNT(lines))];
	size_t n = strlen(line);

	if (size + n > UNPACKED)
		return size;
	memmove(bytes + n, bytes, size);
	memcpy(bytes, line, n);
	return size + n;
}

static size_t change_payload(uint16_t type, uint8_t *bytes, size_t size)
{
	if (one_in(5))
		change_bytes(bytes, size);
	else if (type == CHUNK_DEFS)
		return change_definition(bytes, size);
	else if (type == CHUNK_EVENTS)
		change_events(bytes, size);
	else
		return add_line(bytes, size);
	return size;
}

/* Any but what tells that it is a chunk at all, whose it is and how long. */
static void change_header(struct chunk_header *h)
{
	switch (chance(8)) {
	case 0:
		h->sequence = number();
		break;
	case 1:
		h->ring = (uint32_t)number();
		break;
	case 2:
		h->ticks = number();
		break;
	case 3:
		h->type = (uint16_t)chance(8);
		break;
	case 4:
		h->monotonic = number();
		break;
	default: /* from entered on to the epoch */
		put_number((uint8_t *)h + offsetof(struct chunk_header, entered) + 8 * chance(5), 4);
	}
}

/* ---- a trace ---- */

static size_t add_chunk(uint8_t *out, const struct piece *p, uint64_t file_id, unsigned int changes)
{
	static uint8_t bytes[UNPACKED + 64], packed[2 * UNPACKED];
	struct chunk_header h = p->header;
	const uint8_t *stored = bytes;
	size_t size = p->size, n;

	memcpy(bytes, p->bytes, size);
	for (; changes; changes--)
		size = change_payload(h.type, bytes, size);
	if (one_in(6))
		change_header(&h);
	h.file_id = file_id;
	h.raw_length = h.length = (uint32_t)size;
	h.flags &= ~(uint32_t)CHUNK_ZSTD;
	n = one_in(2) ? ZSTD_compress(packed, sizeof(packed), bytes, size, 1) : 0;
	if (n && !ZSTD_isError(n)) {
		stored = packed;
		h.length = (uint32_t)n;
		h.flags |= CHUNK_ZSTD;
	}
	n = (sizeof(h) + h.length + CHUNK_ALIGN - 1) & ~(size_t)(CHUNK_ALIGN - 1);
	memset(out, 0, n);
	memcpy(out + sizeof(h), stored, h.length);
	h.payload_crc = crc32c(0, stored, h.length);
	if (one_in(50))
		h.raw_length = (uint32_t)number();
	if (one_in(80))
		h.length = (uint32_t)number();
	h.header_crc = crc32c(0, &h, offsetof(struct chunk_header, header_crc));
	memcpy(out, &h, sizeof(h));
	return n;
}

static const struct piece *piece_of(const struct source *s, unsigned int i)
{
	const struct source *other = &sources[chance(source_count)];

	return one_in(40) ? &other->piece[chance(other->count)] : one_in(40) ? &s->piece[chance(s->count)]
									     : &s->piece[i];
}

/* Most are changed a little, some much. */
static size_t make(uint8_t *out)
{
	const struct source *s = &sources[chance(source_count)];
	unsigned int most = one_in(4) ? 12 : 3;
	size_t size = 0;

	for (unsigned int i = 0; i < s->count; i++)
		if (!one_in(40) && size + 2 * UNPACKED < INPUT)
			size += add_chunk(out + size, piece_of(s, i), s->piece[0].header.file_id, (unsigned int)chance(most));
	return one_in(50) && size ? chance(size) & ~1ull : size;
}

/* ---- */

static bool take_piece(struct piece *p, const uint8_t *at, size_t left)
{
	static uint8_t bytes[UNPACKED];
	size_t n;

	memcpy(&p->header, at, sizeof(p->header));
	n = p->header.length;
	if (p->header.magic != CHUNK_MAGIC || n > left - sizeof(p->header))
		return false;
	if (!(p->header.flags & CHUNK_ZSTD) && n <= sizeof(bytes))
		memcpy(bytes, at + sizeof(p->header), n);
	else
		n = ZSTD_decompress(bytes, sizeof(bytes), at + sizeof(p->header), n);
	if (ZSTD_isError(n) || n > sizeof(bytes))
		return false;
	p->size = n;
	p->bytes = malloc(n + 1);
	memcpy(p->bytes, bytes, n);
	return true;
}

static void take_apart(const char *path)
{
	static uint8_t bytes[INPUT];
	FILE *f = fopen(path, "r");
	size_t size = f ? fread(bytes, 1, sizeof(bytes), f) : 0;
	struct source *s = &sources[source_count];

	fuzz_promise(f, path);
	fclose(f);
	for (size_t at = 0; at + sizeof(struct chunk_header) <= size && s->count < CHUNKS; at += CHUNK_ALIGN)
		s->count += take_piece(&s->piece[s->count], bytes + at, size - at);
	source_count += s->count > 0;
}

static void keep(const char *name, const uint8_t *bytes, size_t size)
{
	FILE *f = fopen(name, "w");

	if (f && fwrite(bytes, 1, size, f) == size)
		fclose(f);
}

int main(int argc, char **argv)
{
	static uint8_t out[INPUT];
	long count = argc > 3 ? atol(argv[1]) : 0;
	char name[64];

	for (int i = 3; i < argc && source_count < FILES; i++)
		take_apart(argv[i]);
	if (!source_count)
		return 2;
	snprintf(name, sizeof(name), "mutated-%s", argv[2]);
	for (long i = 0; i < count; i++) {
		size_t size;
		uint8_t *input;

		seed = (strtoull(argv[2], NULL, 10) * 1000003 + (uint64_t)i) * 0x9E3779B97F4A7C15ull | 1;
		size = make(out);
		input = malloc(size + 1); /* of just its size, so that a sanitizer sees the end */
		memcpy(input, out, size);
		keep(name, input, size);
		alarm(SECONDS);
		LLVMFuzzerTestOneInput(input, size);
		alarm(0);
		free(input);
		if ((i + 1) % 10000 == 0)
			fprintf(stderr, "%ld of %ld\n", i + 1, count);
	}
	unlink(name);
	printf("%ld traces kept every promise, seed %s\n", count, argv[2]);
	return 0;
}
