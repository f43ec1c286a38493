/* compute.h - where the elements of tensors lie, for what computes with them. */
#pragma once
#include "tests/sims/ascend/ops.h"

#define TENSOR(i) (&o->of[i].tensor)
#define SCALAR(i) (o->of[i].scalar.magic ? (float)o->of[i].scalar.value : 1)

static inline bool is_float(const struct nnop_tensor *t)
{
	return t->magic && t->type == SIM_FLOAT && t->data;
}

static inline int64_t count(const struct nnop_tensor *t)
{
	int64_t n = 1;

	for (int i = 0; i < t->ndims; i++)
		n *= t->dims[i];
	return n;
}

/* Where in t, in elements, the i-th element of shape lies; dimensions are matched from the last one. */
static inline int64_t place(const struct nnop_tensor *t, const struct nnop_tensor *shape, int64_t i)
{
	int64_t at = t->offset;

	for (int d = shape->ndims - 1, own = t->ndims - 1; d >= 0; i /= shape->dims[d--], own--)
		if (own >= 0 && t->dims[own] > 1)
			at += i % shape->dims[d] * t->strides[own];
	return at;
}

static inline float *element(const struct nnop_tensor *t, const struct nnop_tensor *shape, int64_t i)
{
	return (float *)(void *)t->data + place(t, shape, i);
}
