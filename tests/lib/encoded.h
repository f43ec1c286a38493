/* encoded.h - slots of several kinds, and what they are as a payload. */
#pragma once
#include "agent/format/encode.h"
#include "agent/format/trace_file.h"
#include "tests/lib/unit.h"

#define SLOTS 50000

static struct encoder encoder;
static struct event slots[SLOTS];
static uint8_t payload[SLOTS * ENCODE_SLOT_MAX + ENCODE_GROUP_MAX];

/* Numbers of every length, so that all lengths of varints occur. */
static uint64_t random_number(void)
{
	uint64_t number = unit_random(), less = unit_random() % 64; /* in this order, whatever the compiler is */

	return number >> less;
}

static void fill_randomly(unsigned int controls_in_ten)
{
	for (size_t i = 0; i < SLOTS; i++) {
		bool control = unit_random() % 10 < controls_in_ten;

		slots[i].begin = random_number();
		slots[i].duration = (uint32_t)random_number();
		slots[i].hook = (uint16_t)(control ? CTRL_FIRST + unit_random() % 10 : unit_random() % CTRL_FIRST);
		slots[i].stream = (uint16_t)random_number();
		slots[i].key = random_number();
		slots[i].arg = random_number();
	}
}

/* A training loop: the same 500 calls again and again, each taking about as long as the last time. */
static void fill_with_a_loop(uint64_t begin, unsigned int unit)
{
	for (size_t i = 0; i < SLOTS; i++) {
		unsigned int call = i % 500;

		slots[i] = (struct event){
			.begin = begin,
			.duration = (call % 7 * 1000 + unit_random() % 256) * unit,
			.hook = (uint16_t)(call % 9),
			.stream = 1,
			.key = call * 4096,
		};
		begin += slots[i].duration + (call % 5 * 2000 + unit_random() % 256) * unit;
	}
}
