/* check_products.c - what a product of matrices comes to, by the shapes of its tensors. */
#include <stdarg.h>
#include <string.h>

#include "analysis/trace/products.h"
#include "tests/lib/unit.h"

static struct def_tensor tensor(unsigned int dimensions, ...)
{
	struct def_tensor t = { .type = DATA_FP16, .dimensions = (uint8_t)dimensions };
	va_list sizes;

	va_start(sizes, dimensions);
	for (unsigned int i = 0; i < dimensions; i++)
		t.dimension[i] = va_arg(sizes, int);
	va_end(sizes);
	return t;
}

static uint64_t flop_of(const char *name, uint32_t count, const struct def_tensor *tensors)
{
	struct def_tensor all[4];
	struct shapes shapes = { .def.tensors = count, .tensors = all };

	memcpy(all, tensors, count * sizeof(*all));
	ck_assert_ptr_nonnull(product_of(name));
	return product_flop(product_of(name), &shapes);
}

#define FLOP(name, ...) flop_of(name, sizeof((struct def_tensor[]){ __VA_ARGS__ }) / sizeof(struct def_tensor), (struct def_tensor[]){ __VA_ARGS__ })

START_TEST(a_product_takes_a_multiplication_and_an_addition_each)
{
	ck_assert_uint_eq(FLOP("aclnnMm", tensor(2, 3, 5), tensor(2, 5, 7), tensor(2, 3, 7)), 2 * 3 * 5 * 7);
	ck_assert_uint_eq(FLOP("cublasGemmEx", tensor(2, 3, 5), tensor(2, 5, 7), tensor(2, 3, 7)), 2 * 3 * 5 * 7);
	ck_assert_uint_eq(FLOP("aclnnAddmm", tensor(1, 7), tensor(2, 3, 5), tensor(2, 5, 7), tensor(2, 3, 7)), 2 * 3 * 5 * 7);
	ck_assert_uint_eq(FLOP("aclnnInplaceAddmm", tensor(2, 3, 7), tensor(2, 3, 5), tensor(2, 5, 7)), 2 * 3 * 5 * 7);
}
END_TEST

START_TEST(a_batch_is_as_many_products_and_one_matrix_stands_for_all)
{
	ck_assert_uint_eq(FLOP("aclnnBatchMatMul", tensor(3, 4, 3, 5), tensor(3, 4, 5, 7), tensor(3, 4, 3, 7)), 4 * 2 * 3 * 5 * 7);
	ck_assert_uint_eq(FLOP("aclnnMatmul", tensor(4, 2, 4, 3, 5), tensor(3, 1, 5, 7), tensor(4, 2, 4, 3, 7)), 8 * 2 * 3 * 5 * 7);
	ck_assert_uint_eq(FLOP("aclnnMatmul", tensor(3, 4, 3, 5), tensor(2, 5, 7), tensor(3, 4, 3, 7)), 4 * 2 * 3 * 5 * 7);
}
END_TEST

START_TEST(a_vector_is_a_row_on_the_left_and_a_column_on_the_right)
{
	ck_assert_uint_eq(FLOP("aclnnMatmul", tensor(1, 5), tensor(2, 5, 7), tensor(1, 7)), 2 * 5 * 7);
	ck_assert_uint_eq(FLOP("aclnnMv", tensor(2, 3, 5), tensor(1, 5), tensor(1, 3)), 2 * 3 * 5);
	ck_assert_uint_eq(FLOP("aclnnMatmul", tensor(1, 5), tensor(1, 5), tensor(0)), 2 * 5);
}
END_TEST

START_TEST(what_does_not_fit_is_not_guessed)
{
	struct def_tensor complex = tensor(2, 3, 5), cut = tensor(2, 3, 5), unknown = tensor(2, -1, 5), huge = tensor(2, 0x7fffffff, 0x7fffffff);

	complex.type = DATA_COMPLEX64;
	cut.left_out = 1;
	huge.dimension[0] = INT64_MAX;
	ck_assert_uint_eq(FLOP("aclnnMm", tensor(2, 3, 5), tensor(2, 4, 7), tensor(2, 3, 7)), 0);
	ck_assert_uint_eq(FLOP("aclnnMm", tensor(2, 3, 5), tensor(2, 5, 7), tensor(2, 7, 3)), 0);
	ck_assert_uint_eq(FLOP("aclnnMm", tensor(2, 3, 5), tensor(2, 5, 7), tensor(2, 3, 8)), 0);
	ck_assert_uint_eq(FLOP("aclnnMm", tensor(2, 3, 5), tensor(2, 5, 7)), 0);
	ck_assert_uint_eq(FLOP("aclnnMatmul", tensor(3, 4, 3, 5), tensor(3, 2, 5, 7), tensor(3, 4, 3, 7)), 0);
	ck_assert_uint_eq(FLOP("aclnnMm", complex, tensor(2, 5, 7), tensor(2, 3, 7)), 0);
	ck_assert_uint_eq(FLOP("aclnnMm", cut, tensor(2, 5, 7), tensor(2, 3, 7)), 0);
	ck_assert_uint_eq(FLOP("aclnnMm", unknown, tensor(2, 5, 7), tensor(2, 3, 7)), 0);
	ck_assert_uint_eq(FLOP("aclnnMm", huge, huge, huge), 0);
	ck_assert_uint_eq(product_flop(product_of("aclnnMm"), NULL), 0);
	ck_assert_ptr_null(product_of("aclnnGroupedMatmul"));
	ck_assert_ptr_null(product_of(NULL));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("products");

	tcase_add_test(t, a_product_takes_a_multiplication_and_an_addition_each);
	tcase_add_test(t, a_batch_is_as_many_products_and_one_matrix_stands_for_all);
	tcase_add_test(t, a_vector_is_a_row_on_the_left_and_a_column_on_the_right);
	tcase_add_test(t, what_does_not_fit_is_not_guessed);
	return unit_run("products", t);
}
