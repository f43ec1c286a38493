/* check_encode_bytes.c - the bytes of a chunk are a contract: readers of any version guess what the writer guessed. */
#include "agent/base/crc32c.h"
#include "tests/lib/encoded.h"

/* Five calls at once and a pause, which no number of a guess is near; each 3,000th one is a failure. */
static void fill_with_bursts(void)
{
	uint64_t now = 1ull << 40;

	for (size_t i = 0; i < SLOTS; i++) {
		slots[i] = (struct event){
			.begin = now,
			.duration = 20 + unit_random() % 16,
			.hook = 7,
			.stream = 1,
			.key = 10 + i % 16,
		};
		if (i % 3000 == 2999)
			slots[i] = (struct event){ .hook = CTRL_RESULT, .key = 1 };
		else
			now += slots[i].duration + 30 + unit_random() % 16 + (i % 5 == 4 ? 24000 + unit_random() % 500 : 0);
	}
}

/* Chunks of more templates than there are slots in a row of them: all that is guessed is young. */
static void fill_with_the_young(void)
{
	fill_with_a_loop(1ull << 44, 3);
	for (size_t i = 0; i < SLOTS; i++)
		slots[i].arg = i % 9 == 4 ? i * 7919 % 1500 : i / 20000;
}

static void fill_with_leaps(void)
{
	fill_with_a_loop(unit_random(), 5);
	for (size_t i = 300; i < SLOTS; i += 1 + unit_random() % 30) {
		slots[i].begin += random_number();
		slots[i].duration = (uint32_t)random_number();
	}
}

static void fill_with_device_times(void)
{
	uint64_t now = 1ull << 60;

	fill_with_a_loop(1ull << 50, 1);
	for (size_t i = 1; i < SLOTS; i += 2) {
		slots[i] = slots[i - 1];
		slots[i].begin = now += 32 * (unit_random() % 256);
		slots[i].duration = 32 * (uint32_t)(unit_random() % 256);
		slots[i].arg = DEVICE_REF(1, slots[i].hook, UINT32_MAX - 1000 + i);
		slots[i].hook = CTRL_DEVICE;
	}
}

static void fill_with_some(size_t of)
{
	switch (of) {
	case 0: fill_randomly(3); break;
	case 1: fill_randomly(0); break;
	case 2: fill_with_a_loop(1ull << 50, 1); break;
	case 3: fill_with_a_loop(-100000ull, 26); break;
	case 4: fill_with_bursts(); break;
	case 5: fill_with_the_young(); break;
	case 6: fill_with_leaps(); break;
	default: fill_with_device_times();
	}
}

/* Of chunks that are as full as may be, of `room` bytes, from slots that are given `piece` at a time. */
static uint32_t crc_of_chunks(size_t room, size_t piece, size_t (*encode)(struct encoder *, const struct event *, size_t))
{
	uint32_t crc = 0;

	for (size_t at = 0, n = 1; at < SLOTS && n;) {
		encode_begin(&encoder, payload, room);
		for (n = 0; at < SLOTS;) {
			size_t want = SLOTS - at < piece ? SLOTS - at : piece, done = encode(&encoder, &slots[at], want);

			at += done;
			n += done;
			if (done < want)
				break;
		}
		crc = crc32c(crc, payload, encode_end(&encoder));
	}
	return crc;
}

START_TEST(the_bytes_are_the_same_as_ever)
{
	static const uint32_t known[][2] = {
		{ 0x92c44ab1, 0xb73b4cbc },
		{ 0xbf908f5a, 0x34f69add },
		{ 0x0ab801db, 0xb9423680 },
		{ 0xc2982fc2, 0x0abd8fe3 },
		{ 0xfa07f7ce, 0x4065c671 },
		{ 0xdca60d23, 0xdb08dc88 },
		{ 0xe4dcca72, 0x8d2cb52e },
		{ 0x84894680, 0x0cd03bbf },
	};

	unit_chance = UNIT_CHANCE; /* also where tests are no processes of their own */
	fill_with_some((size_t)_i);
	ck_assert_uint_eq(crc_of_chunks(sizeof(payload), SLOTS, encode_slots), known[_i][0]);
	ck_assert_uint_eq(crc_of_chunks(20000, SLOTS, encode_slots), known[_i][1]);
	ck_assert_uint_eq(crc_of_chunks(sizeof(payload), 512, encode_slots), known[_i][0]);
	ck_assert_uint_eq(crc_of_chunks(20000, 512, encode_slots), known[_i][1]);
	ck_assert_uint_eq(crc_of_chunks(sizeof(payload), SLOTS, encode_slots_anywhere), known[_i][0]);
	ck_assert_uint_eq(crc_of_chunks(20000, 512, encode_slots_anywhere), known[_i][1]);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("encode_bytes");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, the_bytes_are_the_same_as_ever, 0, 8);
	return unit_run("encode_bytes", t);
}
