/* check_encode.c - what encode_slots() writes, decode_slot() reads back, and CRC-32C is CRC-32C. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "agent/crc32c.h"
#include "agent/encode.h"
#include "agent/trace_file.h"
#include "analysis/decode.h"

#define SLOTS 50000

static struct encoder encoder;
static struct decoder decoder;
static struct event slots[SLOTS];
static uint8_t payload[SLOTS * ENCODE_SLOT_MAX + ENCODE_GROUP_MAX];

static uint64_t random_bits(void)
{
	static uint64_t x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* Numbers of every length, so that all lengths of varints occur. */
static uint64_t random_number(void)
{
	return random_bits() >> (random_bits() % 64);
}

static void fill_randomly(unsigned int controls_in_ten)
{
	for (size_t i = 0; i < SLOTS; i++) {
		bool control = random_bits() % 10 < controls_in_ten;

		slots[i] = (struct event){
			.begin = random_number(),
			.duration = (uint32_t)random_number(),
			.hook = (uint16_t)(control ? CTRL_FIRST + random_bits() % 10
						   : random_bits() % CTRL_FIRST),
			.stream = (uint16_t)random_number(),
			.key = random_number(),
			.arg = random_number(),
		};
	}
}

static void encode_all(void)
{
	encode_begin(&encoder, payload, sizeof(payload));
	ck_assert_uint_eq(encode_slots(&encoder, slots, SLOTS), SLOTS);
}

static void expect_all(size_t n)
{
	struct event got;

	decode_begin(&decoder, payload, encode_size(&encoder));
	for (size_t i = 0; i < n; i++) {
		ck_assert(decode_slot(&decoder, &got));
		ck_assert_mem_eq(&got, &slots[i], sizeof(got));
	}
	ck_assert(!decode_slot(&decoder, &got));
	ck_assert(!decoder.bad);
}

START_TEST(random_slots_with_all_controls_come_back)
{
	for (int round = 0; round < 5; round++) {
		fill_randomly(3);
		encode_all();
		expect_all(SLOTS);
	}
}
END_TEST

START_TEST(more_templates_than_the_table_holds_come_back)
{
	fill_randomly(0);
	encode_all();
	ck_assert_uint_eq(encoder.templates, ENCODE_TEMPLATES);
	ck_assert_uint_eq(encoder.events, SLOTS);
	expect_all(SLOTS);
}
END_TEST

START_TEST(repeated_templates_take_few_bytes)
{
	for (size_t i = 0; i < SLOTS; i++)
		slots[i] = (struct event){
			.begin = 1000000 + i * 5000,
			.duration = 300,
			.hook = 5,
			.stream = 1,
			.key = i % 40,
		};
	encode_all();
	ck_assert_uint_le(encode_size(&encoder), 5 * SLOTS + 1000);
	expect_all(SLOTS);
}
END_TEST

START_TEST(a_full_payload_ends_between_two_records)
{
	for (size_t i = 0; i < SLOTS; i++)
		slots[i] = (struct event){
			.begin = i,
			.key = random_bits(),
			.arg = random_bits(),
			.hook = i % 2 ? CTRL_RESULT : 7,
		};

	for (size_t size = 0; size < 3000; size++) {
		size_t n;

		encode_begin(&encoder, payload, size);
		n = encode_slots(&encoder, slots, SLOTS);
		ck_assert_uint_le(encode_size(&encoder), size);
		ck_assert_uint_eq(n % 2, 0);
		expect_all(n);
	}
}
END_TEST

START_TEST(a_chunk_starts_afresh)
{
	fill_randomly(1);
	encode_all();
	slots[0].hook = 3;
	encode_begin(&encoder, payload, sizeof(payload));
	ck_assert_uint_eq(encode_slots(&encoder, slots, 100), 100);
	expect_all(100);
}
END_TEST

START_TEST(any_bytes_decode_without_harm)
{
	struct event got;

	for (int round = 0; round < 20000; round++) {
		size_t size = random_bits() % 200;

		for (size_t i = 0; i < size; i++)
			payload[i] = (uint8_t)random_number();
		decode_begin(&decoder, payload, size);
		while (decode_slot(&decoder, &got))
			;
		ck_assert(decoder.next <= decoder.end);
	}
}
END_TEST

START_TEST(crc32c_is_the_known_one)
{
	uint32_t whole;

	ck_assert_uint_eq(crc32c(0, "123456789", 9), 0xe3069283u);
	ck_assert_uint_eq(crc32c(0, "", 0), 0);

	fill_randomly(3);
	whole = crc32c(0, slots, 1000);
	for (size_t cut = 0; cut <= 1000; cut++)
		ck_assert_uint_eq(crc32c(crc32c(0, slots, cut), (char *)slots + cut, 1000 - cut),
				  whole);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("encode");
	TCase *t = tcase_create("encode");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_set_timeout(t, 60);
	tcase_add_test(t, random_slots_with_all_controls_come_back);
	tcase_add_test(t, more_templates_than_the_table_holds_come_back);
	tcase_add_test(t, repeated_templates_take_few_bytes);
	tcase_add_test(t, a_full_payload_ends_between_two_records);
	tcase_add_test(t, a_chunk_starts_afresh);
	tcase_add_test(t, any_bytes_decode_without_harm);
	tcase_add_test(t, crc32c_is_the_known_one);
	suite_add_tcase(s, t);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
