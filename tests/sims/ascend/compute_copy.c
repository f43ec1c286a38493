/* compute_copy.c - what moves and sets elements of any type. */
#include "tests/sims/ascend/compute.h"
#include <string.h>

/* By number of the type; 0: not known. */
static size_t width_of(int type)
{
	static const unsigned char width[] = { 4, 2, 1, 4, 1, 0, 2, 2, 4, 8, 8, 8, 1 };

	return type == SIM_BF16 ? 2 : (size_t)type < sizeof(width) ? width[type]
								   : 0;
}

static char *bytes(const struct nnop_tensor *t, int64_t at)
{
	return t->data + at * (int64_t)width_of(t->type);
}

/* ---- one type into another ---- */

static double load(const struct nnop_tensor *t, int64_t at)
{
	const void *p = bytes(t, at);

	switch (t->type) {
	case SIM_FLOAT: return (double)*(const float *)p;
	case 2: return *(const int8_t *)p;
	case 3: return *(const int32_t *)p;
	case 4: return *(const uint8_t *)p;
	case 9: return (double)*(const int64_t *)p;
	case 11: return *(const double *)p;
	case 12: return *(const bool *)p;
	default: return 0;
	}
}

static void store(const struct nnop_tensor *t, int64_t at, double value)
{
	void *p = bytes(t, at);

	switch (t->type) {
	case SIM_FLOAT: *(float *)p = (float)value; break;
	case 2: *(int8_t *)p = (int8_t)value; break;
	case 3: *(int32_t *)p = (int32_t)value; break;
	case 4: *(uint8_t *)p = (uint8_t)value; break;
	case 9: *(int64_t *)p = (int64_t)value; break;
	case 11: *(double *)p = value; break;
	case 12: *(bool *)p = value != 0; break;
	default: break;
	}
}

static void move(const struct nnop_tensor *to, int64_t there, const struct nnop_tensor *from, int64_t here)
{
	if (to->type == from->type)
		memmove(bytes(to, there), bytes(from, here), width_of(to->type));
	else
		store(to, there, load(from, here));
}

COMPUTE(copy)
{
	const struct nnop_operands *o = operands;

	for (int64_t i = 0; i < count(TENSOR(0)); i++)
		move(TENSOR(0), place(TENSOR(0), TENSOR(0), i), TENSOR(1), place(TENSOR(1), TENSOR(0), i));
}

/* ---- one value everywhere ---- */

static void fill(const struct nnop_tensor *t, double value)
{
	for (int64_t i = 0; i < count(t); i++)
		store(t, place(t, t, i), value);
}

COMPUTE(fill)
{
	const struct nnop_operands *o = operands;

	fill(TENSOR(0), o->of[1].scalar.value);
}

COMPUTE(zero)
{
	const struct nnop_operands *o = operands;

	fill(TENSOR(0), 0);
}

COMPUTE(one)
{
	const struct nnop_operands *o = operands;

	fill(TENSOR(0), 1);
}

/* The operands: input, how many elements come before and behind (from the last dimension on), their value, output. */
COMPUTE(pad)
{
	const struct nnop_operands *o = operands;
	const struct nnop_array *more = &o->of[1].array;
	struct nnop_tensor inside = *TENSOR(3);

	fill(TENSOR(3), o->of[2].scalar.value);
	for (int d = inside.ndims - 1, k = 0; d >= 0 && k < more->n; d--, k += 2) {
		inside.offset += more->integers[k] * inside.strides[d];
		inside.dims[d] -= more->integers[k] + more->integers[k + 1];
	}
	for (int64_t i = 0; i < count(&inside); i++)
		move(&inside, place(&inside, &inside, i), TENSOR(0), place(TENSOR(0), &inside, i));
}

/* The operands: list, along which dimension, output. */
COMPUTE(concatenate)
{
	const struct nnop_operands *o = operands;
	const struct nnop_list *list = o->of[0].list;
	struct nnop_tensor part = *TENSOR(2); /* of the output: where the next one goes */
	int64_t d = (int64_t)o->of[1].number;

	d += d < 0 ? part.ndims : 0;
	for (int64_t k = 0; k < list->n; k++) {
		const struct nnop_tensor *from = &list->tensors[k];

		if (from->ndims != part.ndims)
			continue; /* an empty one may have any shape */
		part.dims[d] = from->dims[d];
		for (int64_t i = 0; i < count(&part); i++)
			move(&part, place(&part, &part, i), from, place(from, from, i));
		part.offset += part.dims[d] * part.strides[d];
	}
}
