#include "analysis/trace/products.h"

#include <string.h>

#include "hooks/rows/ids.h"

static const struct product products[] = {
#define PRODUCT(name, left, right, result) { #name, left, right, result },
#include "hooks/rows/vendors.def"
};

const struct product *product_of(const char *name)
{
	for (size_t i = 0; name && i < sizeof(products) / sizeof(products[0]); i++)
		if (!strcmp(products[i].name, name))
			return &products[i];
	return NULL;
}

static bool is_real(uint8_t type)
{
	switch (type) {
	case DATA_NONE:
	case DATA_OTHER:
	case DATA_COMPLEX32:
	case DATA_COMPLEX64:
	case DATA_COMPLEX128:
	case DATA_STRING: return false;
	default: return type < DATA_COUNT;
	}
}

/* Counted from the last one, 0; where there is none it is as one of size 1. */
static int64_t size_of(const struct def_tensor *t, unsigned int from_last)
{
	return from_last < t->dimensions ? t->dimension[t->dimensions - 1 - from_last] : 1;
}

/* The same on the right, where a vector is a column; on the left it is a row. */
static int64_t matrix_size(const struct def_tensor *t, unsigned int from_last)
{
	return t->dimensions == 1 ? size_of(t, 1 - from_last) : size_of(t, from_last);
}

/* How many pairs of matrices: of two sizes that differ one is 1, and stands for all. 0: they do not fit. */
static uint64_t batch_of(const struct def_tensor *left, const struct def_tensor *right)
{
	uint64_t all = 1;

	for (unsigned int i = 2; i < SHAPES_DIMENSIONS; i++) {
		int64_t l = size_of(left, i), r = size_of(right, i);

		if ((l != r && l != 1 && r != 1) || l <= 0 || r <= 0 || __builtin_mul_overflow(all, (uint64_t)(l > r ? l : r), &all))
			return 0;
	}
	return all;
}

static uint64_t elements_of(const struct def_tensor *t)
{
	uint64_t all = 1;

	for (unsigned int i = 0; i < t->dimensions; i++)
		if (t->dimension[i] <= 0 || __builtin_mul_overflow(all, (uint64_t)t->dimension[i], &all))
			return 0;
	return all;
}

static bool is_whole(const struct def_tensor *t)
{
	return !t->left_out && is_real(t->type) && t->dimensions <= SHAPES_DIMENSIONS && elements_of(t);
}

/* The result's last sizes are those of a row and of a column, where both are matrices. */
static bool is_result(const struct def_tensor *result, const struct def_tensor *left, const struct def_tensor *right)
{
	unsigned int at = 0;

	if (right->dimensions > 1 && size_of(result, at++) != size_of(right, 0))
		return false;
	return left->dimensions < 2 || size_of(result, at) == size_of(left, 1);
}

static uint64_t flop_of(const struct def_tensor *left, const struct def_tensor *right, const struct def_tensor *result)
{
	uint64_t flop;

	if (!is_whole(left) || !is_whole(right) || !is_whole(result) || !left->dimensions || !right->dimensions)
		return 0;
	if (size_of(left, 0) != matrix_size(right, 1) || !is_result(result, left, right))
		return 0;
	if (__builtin_mul_overflow(batch_of(left, right), (uint64_t)size_of(left, 1), &flop) ||
	    __builtin_mul_overflow(flop, (uint64_t)matrix_size(right, 0), &flop) || flop != elements_of(result) ||
	    __builtin_mul_overflow(flop, 2 * (uint64_t)size_of(left, 0), &flop))
		return 0;
	return flop;
}

uint64_t product_flop(const struct product *p, const struct shapes *shapes)
{
	if (!shapes || p->left >= shapes->def.tensors || p->right >= shapes->def.tensors || p->result >= shapes->def.tensors)
		return 0;
	return flop_of(&shapes->tensors[p->left], &shapes->tensors[p->right], &shapes->tensors[p->result]);
}
