/*
 * check_hostile.c - files made to do harm: claims of size, definitions that unpack to far more than they
 * are, payloads of junk behind good check sums. Read in bounded time and memory.
 */
#include "tests/lib/made_trace.h"
#include "tests/lib/report_and_dump.h"

#include <zstd.h>
#include "tests/lib/unit.h"

#include "agent/base/crc32c.h"

START_TEST(a_file_full_of_claims_is_read_in_time_that_grows_with_its_size)
{
	static uint8_t bytes[32 << 20];
	struct chunk_header h = { .magic = CHUNK_MAGIC, .major = TRACE_MAJOR, .type = CHUNK_DEFS, .payload_crc = 1 };
	struct reader r;
	struct chunk chunk;

	/* Each line claims 16 MiB: looked into one by one, that were 4 TiB. */
	h.length = h.raw_length = CHUNK_MAX - sizeof(h);
	h.header_crc = crc32c(0, &h, offsetof(struct chunk_header, header_crc));
	for (size_t at = 0; at + sizeof(h) <= sizeof(bytes); at += sizeof(h))
		memcpy(bytes + at, &h, sizeof(h));
	ck_assert_int_eq(ftruncate(work, sizeof(bytes)), 0);
	ck_assert_int_eq(pwrite(work, bytes, sizeof(bytes), 0), sizeof(bytes));
	ck_assert_int_eq(setrlimit(RLIMIT_CPU, &(struct rlimit){ 60, 60 }), 0);
	ck_assert_int_eq(reader_open(&r, work_path, UINT64_MAX), 0);
	ck_assert(!reader_next(&r, &chunk));
	ck_assert_uint_gt(r.loss.bad_chunks, 0);
	ck_assert_uint_eq(r.loss.tail_bytes, sizeof(bytes));
	reader_close(&r);
}
END_TEST

static char zeros[CHUNK_MAX];

START_TEST(definitions_that_would_pack_so_far_are_written_as_they_are)
{
	struct chunk_header h = { .type = CHUNK_DEFS };
	struct reader r;
	struct chunk chunk;
	size_t size;

	open_file();
	ck_assert_int_eq(chunk_writer_put(&maker.w, &h, zeros, sizeof(zeros)), 0);
	ck_assert_int_eq(reader_open(&r, path, UINT64_MAX), 0);
	ck_assert(reader_next(&r, &chunk));
	ck_assert_ptr_nonnull(reader_payload(&r, &chunk, &size));
	ck_assert_uint_eq(size, sizeof(zeros));
	reader_close(&r);
	close_file();
}
END_TEST

/* As nobody of ours writes it. */
static void put_packed_far(enum chunk_type type)
{
	static char packed[1 << 20];
	struct chunk_header h = { .type = (uint16_t)type, .flags = CHUNK_ZSTD };
	size_t n = ZSTD_compress(packed, sizeof(packed), zeros, sizeof(zeros), 1);
	uint64_t at = (maker.w.offset + CHUNK_ALIGN - 1) & ~(uint64_t)(CHUNK_ALIGN - 1);
	off_t begin = (off_t)at;

	ck_assert_int_eq(chunk_writer_put(&maker.w, &h, packed, n), 0);
	h.raw_length = sizeof(zeros);
	h.header_crc = crc32c(0, &h, offsetof(struct chunk_header, header_crc));
	ck_assert_int_eq(pwrite(fd, &h, sizeof(h), begin), sizeof(h));
}

START_TEST(definitions_that_unpack_to_far_more_than_they_are_are_refused)
{
	struct reader r;
	struct chunk chunk;
	size_t size;

	open_file();
	put_packed_far(CHUNK_DEFS);
	ck_assert_int_eq(reader_open(&r, path, UINT64_MAX), 0);
	ck_assert(reader_next(&r, &chunk));
	ck_assert_ptr_null(reader_payload(&r, &chunk, &size));
	ck_assert_uint_eq(r.loss.bad_chunks, 1);
	reader_close(&r);
	close_file();
}
END_TEST

START_TEST(definitions_that_are_refused_are_told_as_lost)
{
	open_file();
	maker_text(&maker, CHUNK_FILE, "clock=ns\nhost=h\npid=1\nrank=0\n");
	put_packed_far(CHUNK_DEFS);
	maker_text(&maker, CHUNK_END, "reason=exit\n");
	snprintf(work_path, sizeof(work_path), "%s", path);
	ck_assert(read_work().lost);
	close_file();
}
END_TEST

START_TEST(a_text_of_a_million_keys_is_read_in_time)
{
	static char text[CHUNK_MAX];
	struct key_values facts = { 0 };
	size_t used = 0;

	for (unsigned int i = 0; i < 1000000; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "k%u=1\n", i * 2654435761u);
	ck_assert_int_eq(setrlimit(RLIMIT_CPU, &(struct rlimit){ 60, 60 }), 0);
	key_values_parse(&facts, text, used);
	ck_assert_uint_eq(facts.count, KEY_VALUES_MAX);
	ck_assert_str_eq(key_values_get(&facts, "k0"), "1");
	key_values_free(&facts);
}
END_TEST

/* Behind the check sums: nothing that a chunk may hold can harm the passes over it. */
START_TEST(hostile_payloads_do_no_harm)
{
	static uint8_t junk[4096];

	srandom(2);
	for (int round = 0; round < 300; round++) {
		struct chunk_header defs = { .type = CHUNK_DEFS };
		struct chunk_header events = { .type = CHUNK_EVENTS, .ring = 1, .events = 9 };

		open_file();
		maker_text(&maker, CHUNK_FILE,
			   round % 2 ? "clock=tsc\ntick_hz=1\n" : "rank=x\n=\n\n=1");
		maker_usual_defs(&maker);
		for (size_t i = 0; i < maker.defs_size; i++)
			maker.defs[i] ^= random() % 50 ? 0 : (uint8_t)random();
		chunk_writer_put(&maker.w, &defs, maker.defs, maker.defs_size);
		for (size_t i = 0; i < sizeof(junk); i++)
			junk[i] = (uint8_t)(random() % 4 ? random() % 8 : random());
		maker_clock(&maker, (uint64_t)random());
		chunk_writer_put(&maker.w, &events, junk, (size_t)random() % sizeof(junk));
		put_ring_1();
		snprintf(work_path, sizeof(work_path), "%s", path);
		read_work();
		close_file();
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("hostile");

	tcase_set_timeout(t, 240);
	tcase_add_checked_fixture(t, way_open, NULL);
	tcase_add_test(t, a_file_full_of_claims_is_read_in_time_that_grows_with_its_size);
	tcase_add_test(t, definitions_that_would_pack_so_far_are_written_as_they_are);
	tcase_add_test(t, definitions_that_are_refused_are_told_as_lost);
	tcase_add_test(t, definitions_that_unpack_to_far_more_than_they_are_are_refused);
	tcase_add_test(t, a_text_of_a_million_keys_is_read_in_time);
	tcase_add_test(t, hostile_payloads_do_no_harm);
	return unit_run("hostile", t);
}
