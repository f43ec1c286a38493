/*
 * matrices.h - operators by the matrices that they are given: as the operation sees them, turned where the call says so. In
 * batches the first dimension is how many there are.
 */
#pragma once
#include <stdbool.h>
#include "hooks/capture/operator_shapes.h"
#include "hooks/capture/row_names.h"
#include "hooks/cuda/blas/abi.h"

struct matrix {
	uint8_t type;
	int64_t rows, columns; /* NO_COLUMNS: a vector */
};
#define NO_COLUMNS    (-1)
#define MATRICES_MOST 4

/* DEF_LAUNCH id of the row's operator with these; batch 0: the call has none. */
uint64_t matrices_launch(unsigned int hook, int64_t batch, const struct matrix *matrices, unsigned int count);

/* Multiplications at once, in groups of one size each. wide: the sizes have 64 bits. */
struct matrix_groups {
	uint8_t types[3]; /* of A, B and C */
	bool wide;
	const void *m, *n, *k, *batch;
	int64_t count;
};
uint64_t matrix_groups_launch(unsigned int hook, const struct matrix_groups *groups);
