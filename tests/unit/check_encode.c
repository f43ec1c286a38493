/* check_encode.c - what encode_slots() writes, decode_slots() reads back, and CRC-32C is CRC-32C. */
#include <stdlib.h>
#include <string.h>
#include "agent/base/crc32c.h"
#include "agent/format/decode.h"
#include "tests/lib/encoded.h"

static struct decoder decoder;
static size_t size; /* of the payload */

static void encode_all(void)
{
	encode_begin(&encoder, payload, sizeof(payload));
	ck_assert_uint_eq(encode_slots(&encoder, slots, SLOTS), SLOTS);
	size = encode_end(&encoder);
}

/* So many at once. */
static void expect(size_t n, size_t (*decode)(struct decoder *d, struct event *slots, size_t n), size_t step)
{
	static struct event got[SLOTS + 1];
	size_t k;

	decode_begin(&decoder, payload, size);
	for (size_t i = 0; i < n; i += k) {
		k = decode(&decoder, got, step);
		ck_assert_uint_eq(k, step < n - i ? step : n - i);
		ck_assert_mem_eq(got, &slots[i], k * sizeof(*got));
	}
	ck_assert(!decode(&decoder, got, 1));
	ck_assert(!decoder.bad);
}

static void expect_all(size_t n)
{
	expect(n, decode_slots, 1);
	expect(n, decode_slots, SLOTS + 1);
	expect(n, decode_slots_anywhere, 64);
}

START_TEST(random_slots_with_all_controls_come_back)
{
	for (int round = 0; round < 5; round++) {
		fill_randomly(3);
		for (size_t i = 0; i < SLOTS; i++)
			if (slots[i].hook >= CTRL_FIRST)
				slots[i].hook = (uint16_t)(CTRL_FIRST + unit_random() % (CTRL_STACK + 1 - CTRL_FIRST));
		encode_all();
		expect_all(SLOTS);
	}
}
END_TEST

START_TEST(more_templates_than_the_table_holds_come_back)
{
	fill_randomly(0);
	encode_all();
	ck_assert_uint_eq(encoder.templates, GUESS_TEMPLATES);
	ck_assert_uint_eq(encoder.events, SLOTS);
	expect_all(SLOTS);
}
END_TEST

START_TEST(more_slots_than_a_chunk_takes_are_left_over)
{
	static struct event same[GUESS_SLOTS + 100];

	encode_begin(&encoder, payload, sizeof(payload));
	ck_assert_uint_le(encode_slots(&encoder, same, GUESS_SLOTS + 100), GUESS_SLOTS);
	ck_assert_uint_eq(encode_slots(&encoder, same, 100), 0);
	size = encode_end(&encoder);
	decode_begin(&decoder, payload, size);
	ck_assert_uint_eq(decode_slots(&decoder, same, GUESS_SLOTS + 100), encoder.events);
	ck_assert(!decoder.bad);
}
END_TEST

/* Eight bits of chance in each of two numbers: two bytes that nobody can save. */
START_TEST(a_loop_takes_little_more_than_its_chance)
{
	fill_with_a_loop(1ull << 50, 1);
	encode_all();
	ck_assert_uint_le(size, 3 * SLOTS);
	expect_all(SLOTS);
}
END_TEST

START_TEST(a_clock_that_moves_in_steps_of_26_ticks_costs_no_more)
{
	size_t by_one;

	fill_with_a_loop(1ull << 50, 1);
	encode_all();
	by_one = size;
	fill_with_a_loop((1ull << 50) + 5, 26);
	encode_all();
	ck_assert_uint_eq(encoder.host.unit, 26);
	ck_assert_uint_le(size, by_one + by_one / 50);
	expect_all(SLOTS);
}
END_TEST

START_TEST(ticks_between_the_steps_of_the_clock_come_back)
{
	fill_with_a_loop(1ull << 50, 52);
	for (size_t i = 200; i < SLOTS; i += unit_random() % 50)
		slots[i].begin += unit_random() % 52;
	for (size_t i = 200; i < SLOTS; i += unit_random() % 50)
		slots[i].duration = (uint32_t)random_number();
	encode_all();
	ck_assert_uint_eq(encoder.host.unit, 52);
	expect_all(SLOTS);
}
END_TEST

START_TEST(a_clock_that_wraps_comes_back)
{
	fill_with_a_loop(-100000ull, 1);
	encode_all();
	ck_assert_uint_le(size, 3 * SLOTS);
	expect_all(SLOTS);
}
END_TEST

START_TEST(the_greatest_leaps_come_back)
{
	static const uint64_t leaps[] = { 0, 1, -1, INT64_MAX, 1ull << 63, UINT32_MAX, 1ull << 32, 1ull << 40 };

	for (unsigned int unit = 1; unit < 40; unit += 5) {
		fill_with_a_loop(unit_random(), unit);
		for (size_t i = 130; i < SLOTS; i++) {
			slots[i].begin = slots[i - 1].begin + leaps[unit_random() % 8] * (unit_random() % 3);
			slots[i].duration = unit_random() % 4 ? UINT32_MAX : 0;
		}
		encode_all();
		expect_all(SLOTS);
	}
}
END_TEST

/* Device times behind the events that they speak of, in an order of their own. */
START_TEST(device_times_take_few_bytes)
{
	uint64_t now = 1ull << 60;

	fill_with_a_loop(1ull << 50, 1);
	for (size_t i = 1; i < SLOTS; i += 2) {
		size_t of = i < 6 ? 0 : i - 5 + unit_random() % 2 * 2;

		slots[i] = (struct event){
			.begin = now += 32 * (unit_random() % 256),
			.duration = 32 * (uint32_t)(unit_random() % 256),
			.hook = CTRL_DEVICE,
			.stream = 1,
			.key = slots[of].key,
			.arg = DEVICE_REF(1, slots[of].hook, UINT32_MAX - 1000 + of),
		};
		now += slots[i].duration;
	}
	encode_all();
	ck_assert_uint_eq(encoder.device.unit, 32);
	ck_assert_uint_le(size, 4 * SLOTS);
	expect_all(SLOTS);
}
END_TEST

START_TEST(a_full_payload_ends_between_two_records)
{
	for (size_t i = 0; i < SLOTS; i++)
		slots[i] = (struct event){
			.begin = i,
			.key = unit_random(),
			.arg = unit_random(),
			.hook = i % 2 ? CTRL_RESULT : 7,
		};

	for (size_t room = 0; room < 3000; room++) {
		size_t n;

		encode_begin(&encoder, payload, room);
		n = encode_slots(&encoder, slots, SLOTS);
		size = encode_end(&encoder);
		ck_assert_uint_le(size, room);
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
	size = encode_end(&encoder);
	expect_all(100);
}
END_TEST

START_TEST(any_bytes_decode_without_harm)
{
	struct event got;

	for (int round = 0; round < 20000; round++) {
		size = unit_random() % 200;
		for (size_t i = 0; i < size; i++)
			payload[i] = (uint8_t)random_number();
		decode_begin(&decoder, payload, size);
		while (decode_slots(&decoder, &got, 1))
			;
		ck_assert(decoder.words <= decoder.end && (decoder.bad || decoder.numbers.at <= decoder.numbers.end));
	}
}
END_TEST

/* Of a whole payload, so that the damage reaches every part of the decoder. */
START_TEST(a_damaged_payload_decodes_without_harm)
{
	static uint8_t whole[SLOTS * ENCODE_SLOT_MAX];
	static struct event got[GUESS_SLOTS];
	uint8_t *exact;

	fill_randomly(3);
	for (size_t i = 500; i < 3000; i++)
		slots[i] = slots[i - 100];
	encode_begin(&encoder, whole, sizeof(whole));
	ck_assert_uint_eq(encode_slots(&encoder, slots, 3000), 3000);
	size = encode_end(&encoder);
	for (int round = 0; round < 3000; round++) {
		size_t cut = round % 3 ? size : unit_random() % size;

		memcpy(payload, whole, size);
		for (int i = 0; i < round % 4; i++)
			payload[unit_random() % (round % 2 ? size : 32)] ^= 1 << unit_random() % 8;
		exact = malloc(cut); /* a sanitizer sees what is read behind it */
		memcpy(exact, payload, cut);
		decode_begin(&decoder, exact, cut);
		ck_assert_uint_le(decode_slots(&decoder, got, GUESS_SLOTS), GUESS_SLOTS);
		free(exact);
		ck_assert(decoder.words <= decoder.end && (decoder.bad || decoder.numbers.at <= decoder.numbers.end));
		ck_assert(cut == size || decoder.bad || cut == 0);
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
	TCase *t = tcase_create("encode");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, random_slots_with_all_controls_come_back);
	tcase_add_test(t, more_templates_than_the_table_holds_come_back);
	tcase_add_test(t, more_slots_than_a_chunk_takes_are_left_over);
	tcase_add_test(t, a_loop_takes_little_more_than_its_chance);
	tcase_add_test(t, a_clock_that_moves_in_steps_of_26_ticks_costs_no_more);
	tcase_add_test(t, ticks_between_the_steps_of_the_clock_come_back);
	tcase_add_test(t, a_clock_that_wraps_comes_back);
	tcase_add_test(t, the_greatest_leaps_come_back);
	tcase_add_test(t, device_times_take_few_bytes);
	tcase_add_test(t, a_full_payload_ends_between_two_records);
	tcase_add_test(t, a_chunk_starts_afresh);
	tcase_add_test(t, any_bytes_decode_without_harm);
	tcase_add_test(t, a_damaged_payload_decodes_without_harm);
	tcase_add_test(t, crc32c_is_the_known_one);
	return unit_run("encode", t);
}
