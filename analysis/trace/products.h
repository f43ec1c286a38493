/* products.h - operators that multiply matrices, and what that comes to. */
#pragma once
#include <stdint.h>

#include "analysis/trace/defs.h"

struct product {
	const char *name;
	uint8_t left, right, result; /* which of its tensors */
};

/* NULL: the operator of this name is none that is known. */
const struct product *product_of(const char *name);

/*
 * Multiplications and additions, 2 * M * N * K for each pair of matrices. 0: the shapes are not there, not all of them, or not those of
 * a product of real numbers.
 */
uint64_t product_flop(const struct product *p, const struct shapes *shapes);
