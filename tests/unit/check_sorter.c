/* check_sorter.c - the sorter emits what a plain search for the smallest would, whatever comes in. */
#include "tests/lib/unit.h"
#include <stdlib.h>

#include "analysis/util/short_sorter.h"
#include "analysis/util/sorter.h"
#include "analysis/util/spans.h"

#define WINDOW 64
#define ITEMS  20000

struct item {
	uint64_t time, tie, number;
};

static struct item emitted[ITEMS], waiting[WINDOW];
static size_t emitted_count, waiting_count, next;

static void take(void *context, const void *item)
{
	(void)context;
	emitted[emitted_count++] = *(const struct item *)item;
}

static int compare(const struct item *a, const struct item *b)
{
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->tie != b->tie)
		return a->tie < b->tie ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Takes the smallest out of those that wait, and expects that it was emitted as well. */
static void expect_smallest(void)
{
	size_t best = 0;

	for (size_t i = 1; i < waiting_count; i++)
		if (compare(&waiting[i], &waiting[best]) < 0)
			best = i;
	ck_assert_uint_lt(next, emitted_count);
	ck_assert_uint_eq(emitted[next++].number, waiting[best].number);
	waiting[best] = waiting[--waiting_count];
}

static void push(struct sorter *s, struct item item)
{
	sorter_push(s, item.time, item.tie, &item);
	if (waiting_count < WINDOW) {
		waiting[waiting_count++] = item;
		return;
	}
	for (size_t i = 0; i < waiting_count; i++) {
		if (compare(&waiting[i], &item) > 0)
			continue;
		expect_smallest();
		waiting[waiting_count++] = item;
		return;
	}
	ck_assert_uint_eq(emitted[next++].number, item.number); /* smaller than all */
}

/* The time of the i-th item to come. */
typedef uint64_t (*order)(uint64_t i);

static uint64_t nearly_sorted(uint64_t i)
{
	return 10 * i + unit_random() % 200;
}

static uint64_t two_rings(uint64_t i)
{
	return i % 40 < 20 ? i : i - 20;
}

static uint64_t falling(uint64_t i)
{
	return ITEMS - i;
}

static uint64_t by_chance(uint64_t i)
{
	(void)i;
	return unit_random() % 1000;
}

static uint64_t a_saw(uint64_t i)
{
	return i + 100 * (i % 2) - i % 7 * 30;
}

static void run(order time)
{
	struct sorter s;

	sorter_init(&s, sizeof(struct item), WINDOW, take, NULL);
	for (int round = 0; round < 2; round++) {
		emitted_count = next = waiting_count = 0;
		for (uint64_t i = 0; i < ITEMS; i++)
			push(&s, (struct item){ time(i), unit_random() % 3, i });
		sorter_flush(&s);
		while (waiting_count)
			expect_smallest();
		ck_assert_uint_eq(emitted_count, ITEMS);
		ck_assert_uint_le(s.run_count, 2 * WINDOW);
	}
	sorter_free(&s);
}

START_TEST(nearly_sorted_items_come_out_sorted)
{
	run(nearly_sorted);
	for (size_t i = 1; i < ITEMS; i++)
		ck_assert_uint_le(emitted[i - 1].time, emitted[i].time);
}
END_TEST

START_TEST(any_order_comes_out_as_from_a_plain_search)
{
	run(two_rings);
	run(falling);
	run(by_chance);
	run(a_saw);
}
END_TEST

static uint64_t *short_emitted;

static void take_short(void *context, const void *item)
{
	(void)context;
	*short_emitted++ = ((const struct item *)item)->number;
}

/* With the window of that one: what the other one emits, in the same order. */
static void run_short(order time)
{
	static uint64_t numbers[ITEMS];
	struct short_sorter one;
	struct sorter other;

	short_emitted = numbers;
	emitted_count = 0;
	short_sorter_init(&one, sizeof(struct item), take_short, NULL);
	sorter_init(&other, sizeof(struct item), SHORT_SORTER, take, NULL);
	for (uint64_t i = 0; i < ITEMS; i++) {
		struct item item = { time(i), 0, i };

		sorter_push(&other, item.time, 0, &item);
		*(struct item *)short_sorter_place(&one, item.time) = item;
		short_sorter_placed(&one);
	}
	sorter_flush(&other);
	short_sorter_flush(&one);
	ck_assert_ptr_eq(short_emitted, numbers + ITEMS);
	for (size_t i = 0; i < ITEMS; i++)
		ck_assert_uint_eq(numbers[i], emitted[i].number);
	short_sorter_free(&one);
	sorter_free(&other);
}

START_TEST(a_short_sorter_emits_what_a_sorter_does)
{
	run_short(nearly_sorted);
	run_short(two_rings);
	run_short(falling);
	run_short(by_chance);
	run_short(a_saw);
}
END_TEST

START_TEST(two_sets_of_spans_cover_what_their_sum_covers)
{
	for (int round = 0; round < 500; round++) {
		struct spans sets[2] = { 0 }, sum = { 0 };

		for (int i = 0; i < 200; i++) {
			uint64_t begin = unit_random() % 5000, end = begin + unit_random() % 30;

			spans_add(&sets[unit_random() % (1 + round % 2)], begin, end);
			spans_add(&sum, begin, end);
		}
		ck_assert_uint_eq(spans_union(sets, 2, NULL), spans_total(&sum));
		spans_free(&sets[0]);
		spans_free(&sets[1]);
		spans_free(&sum);
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("sorter");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, nearly_sorted_items_come_out_sorted);
	tcase_add_test(t, any_order_comes_out_as_from_a_plain_search);
	tcase_add_test(t, a_short_sorter_emits_what_a_sorter_does);
	tcase_add_test(t, two_sets_of_spans_cover_what_their_sum_covers);
	return unit_run("sorter", t);
}
