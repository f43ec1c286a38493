/*
 * check_damage.c - traces cut off at every byte, and with bits flipped at random: every chunk that is
 * whole comes back, nothing else does, and what is gone is told. In bounded memory.
 */
#include "tests/lib/made_ascend.h"
#include "tests/lib/report_and_dump.h"

#include "tests/lib/unit.h"
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>

#define ORIGINALS  64
#define CHUNKS_MAX 64
#define FLIPS	   100000
#define FLIP_SEED  20001
#define READ_ALL   8 /* one damaged file in so many goes through the whole report */

/* A whole trace, and where its chunks lie. */
struct original {
	char name[256];
	uint8_t *bytes;
	size_t size, count;
	struct chunk_at {
		uint64_t begin, end, sequence;
		uint32_t crc, events, type;
	} chunk[CHUNKS_MAX];
};

static struct original originals[ORIGINALS];
static size_t original_count;
/* ---- what is damaged ---- */

static void note_chunks(struct original *o, const char *file)
{
	struct reader r;
	struct chunk chunk;

	ck_assert_int_eq(reader_open(&r, file, UINT64_MAX), 0);
	while (reader_next(&r, &chunk)) {
		const struct chunk_header *h = &chunk.header;

		ck_assert_uint_lt(o->count, CHUNKS_MAX);
		o->chunk[o->count++] = (struct chunk_at){
			.begin = chunk.offset,
			.end = chunk.offset + sizeof(*h) + h->length,
			.sequence = h->sequence,
			.crc = h->payload_crc,
			.events = h->events,
			.type = h->type,
		};
	}
	ck_assert_uint_ge(o->count, 3);
	reader_close(&r);
}

static void take_original(const char *file)
{
	struct original *o = &originals[original_count++];
	struct stat st;
	int in = open(file, O_RDONLY);

	ck_assert_uint_le(original_count, ORIGINALS);
	ck_assert(in >= 0 && !fstat(in, &st));
	snprintf(o->name, sizeof(o->name), "%s", file);
	o->size = (size_t)st.st_size;
	o->bytes = malloc(o->size);
	ck_assert_int_eq(read(in, o->bytes, o->size), (ssize_t)o->size);
	close(in);
	note_chunks(o, file);
}

static void setup(void)
{
	glob_t found;

	make_trace();
	take_original(path);
	close_file();
	make_ascend_trace();
	take_original(path);
	close_file();
	ck_assert_int_eq(glob("tests/golden/*.rtrace", 0, NULL, &found), 0);
	ck_assert_int_eq(glob("tests/golden/*.part", GLOB_APPEND, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		take_original(found.gl_pathv[i]);
	globfree(&found);
	way_open();
}

static void put_work(const struct original *o)
{
	ck_assert_int_eq(ftruncate(work, (off_t)o->size), 0);
	ck_assert_int_eq(pwrite(work, o->bytes, o->size, 0), (ssize_t)o->size);
}

/* ---- cut off ---- */

static uint64_t line_behind(uint64_t offset)
{
	return (offset + CHUNK_ALIGN - 1) & ~(uint64_t)(CHUNK_ALIGN - 1);
}

/* Every chunk before the cut, in order, and the rest of the bytes told as an unfinished tail. */
static void check_cut(const struct original *o, uint64_t size)
{
	struct reader r;
	struct chunk chunk;
	uint64_t end = 0;
	size_t n = 0;

	ck_assert_int_eq(reader_open(&r, work_path, UINT64_MAX), 0);
	while (reader_next(&r, &chunk)) {
		ck_assert_uint_lt(n, o->count);
		ck_assert_uint_eq(chunk.offset, o->chunk[n].begin);
		ck_assert_uint_eq(chunk.header.payload_crc, o->chunk[n].crc);
		end = line_behind(o->chunk[n++].end);
	}
	ck_assert_msg(n == o->count || o->chunk[n].end > size, "%s cut at %zu: a whole chunk is gone",
		      o->name, (size_t)size);
	ck_assert_uint_eq(r.loss.tail_bytes, size > end ? size - end : 0);
	ck_assert_uint_eq(r.loss.missing_chunks, 0);
	reader_close(&r);
}

static uint64_t events_before(const struct original *o, uint64_t size)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < o->count && o->chunk[i].end <= size; i++)
		sum += o->chunk[i].events;
	return sum;
}

START_TEST(a_trace_cut_at_any_byte_gives_all_whole_chunks_and_tells_the_rest)
{
	const struct original *o = &originals[_i];
	struct seen seen;

	if ((size_t)_i >= original_count)
		return;
	unit_limit_memory(192 << 20);
	put_work(o);
	for (uint64_t size = o->size; size-- > 0;) {
		ck_assert_int_eq(ftruncate(work, (off_t)size), 0);
		check_cut(o, size);
		if (size % READ_ALL && size + 200 < o->size)
			continue;
		seen = read_work();
		ck_assert_uint_eq(seen.events, events_before(o, size));
		/* A .part file may still grow: there a tail is no loss. */
		ck_assert_msg(seen.lost || o->chunk[o->count - 1].end <= size, "%s cut at %zu: no loss is told",
			      o->name, (size_t)size);
	}
}
END_TEST

/* ---- flipped ---- */

static bool inside(const struct chunk_at *c, uint64_t at)
{
	return at >= c->begin && at < c->end;
}

/* Flips one to eight bits somewhere, and notes whose they are. */
static void flip(const struct original *o, uint8_t *bytes, bool hit[CHUNKS_MAX])
{
	size_t at = (size_t)random() % o->size;

	for (long bits = 1 + random() % 8; bits; bits--) {
		bytes[at] ^= (uint8_t)(1u << random() % 8);
		for (size_t i = 0; i < o->count; i++)
			hit[i] |= inside(&o->chunk[i], at) && bytes[at] != o->bytes[at];
		at = random() % 4 ? (at + (size_t)random() % 4) % o->size : (size_t)random() % o->size;
	}
}

/* All chunks but those that were hit; gaps in their numbers are counted, the end is a tail. */
static void check_flipped(const struct original *o, const uint8_t *bytes, const bool hit[CHUNKS_MAX], int round)
{
	uint64_t missing = 0, gaps = 0;
	struct reader r;
	struct chunk chunk;
	size_t n = 0;

	ck_assert_int_eq(reader_open(&r, work_path, UINT64_MAX), 0);
	while (reader_next(&r, &chunk)) {
		/* Bits may be flipped back: what came out whole is whole. */
		for (; n < o->count && o->chunk[n].begin < chunk.offset; n++, gaps++)
			ck_assert_msg(hit[n], "seed %d, round %d: a chunk that was not hit is gone", FLIP_SEED, round);
		ck_assert_msg(n < o->count && o->chunk[n].begin == chunk.offset &&
				      !memcmp(bytes + chunk.offset, o->bytes + chunk.offset,
					      o->chunk[n].end - chunk.offset),
			      "seed %d, round %d: a chunk was made up", FLIP_SEED, round);
		missing += gaps;
		gaps = 0;
		n++;
	}
	for (; n < o->count; n++, gaps++)
		ck_assert_msg(hit[n], "seed %d, round %d: a last chunk that was not hit is gone", FLIP_SEED, round);
	ck_assert_msg(r.loss.missing_chunks == missing && (!gaps || r.loss.tail_bytes),
		      "seed %d, round %d: %zu chunks missing, %zu told", FLIP_SEED, round, (size_t)missing,
		      (size_t)r.loss.missing_chunks);
	reader_close(&r);
}

static uint64_t all_events(const struct original *o)
{
	return events_before(o, UINT64_MAX);
}

START_TEST(flipped_bits_lose_the_chunks_they_hit_and_no_other)
{
	static uint8_t bytes[1 << 20];

	unit_limit_memory(192 << 20);
	srandom(FLIP_SEED);
	for (int round = 0; round < FLIPS; round++) {
		const struct original *o = &originals[(size_t)random() % original_count];
		bool hit[CHUNKS_MAX] = { false };

		ck_assert_uint_le(o->size, sizeof(bytes));
		memcpy(bytes, o->bytes, o->size);
		flip(o, bytes, hit);
		ck_assert_int_eq(ftruncate(work, (off_t)o->size), 0);
		ck_assert_int_eq(pwrite(work, bytes, o->size, 0), (ssize_t)o->size);
		check_flipped(o, bytes, hit, round);
		if (round % READ_ALL == 0)
			ck_assert_uint_le(read_work().events, all_events(o));
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("damage");

	tcase_set_timeout(t, 240);
	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_loop_test(t, a_trace_cut_at_any_byte_gives_all_whole_chunks_and_tells_the_rest, 0, ORIGINALS);
	tcase_add_test(t, flipped_bits_lose_the_chunks_they_hit_and_no_other);
	return unit_run("damage", t);
}
