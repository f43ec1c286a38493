/* check_operator_shapes.c - what one more of a dimension adds to a tensor's hash depends on the other dimensions: a sum would have one hash for
 * lists of small numbers that are different. */
#include <stdlib.h>
#include "tests/lib/unit.h"
#include "hooks/capture/operator_shapes.h"

#define DIMENSIONS 8
#define LISTS	   4096

static uint64_t hash_of(const uint64_t dimension[DIMENSIONS])
{
	uint64_t hash = operator_shapes_more(0, 1, DIMENSIONS);

	for (int i = 0; i < DIMENSIONS; i += 2)
		hash = operator_shapes_more(hash, dimension[i], dimension[i + 1]);
	return hash;
}

/* Of small numbers, each list another. */
static void make_list(uint64_t dimension[DIMENSIONS], unsigned int n)
{
	for (int i = 0; i < DIMENSIONS; i++)
		dimension[i] = 1 + (n >> (i % 4 * 3) & 7) * (i < 4 ? 1 : 16);
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static size_t different(uint64_t *numbers, size_t n)
{
	size_t found = n > 0;

	qsort(numbers, n, sizeof(*numbers), by_number);
	for (size_t i = 1; i < n; i++)
		found += numbers[i] != numbers[i - 1];
	return found;
}

START_TEST(what_a_dimension_adds_depends_on_the_others)
{
	static uint64_t added[LISTS];
	uint64_t dimension[DIMENSIONS];

	for (unsigned int n = 0; n < LISTS; n++) {
		make_list(dimension, n);
		added[n] = hash_of(dimension);
		dimension[_i]++;
		added[n] -= hash_of(dimension);
	}
	ck_assert_uint_eq(different(added, LISTS), LISTS);
}
END_TEST

/* The same tensor, given twice or in another place. */
START_TEST(what_a_tensor_adds_depends_on_its_place)
{
	uint64_t joined[4];

	for (unsigned int place = 0; place < 4; place++)
		joined[place] = operator_shapes_join(0, place, 1);
	ck_assert_uint_eq(different(joined, 4), 4);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("operator_shapes");

	tcase_add_loop_test(t, what_a_dimension_adds_depends_on_the_others, 0, DIMENSIONS);
	tcase_add_test(t, what_a_tensor_adds_depends_on_its_place);
	return unit_run("operator_shapes", t);
}
