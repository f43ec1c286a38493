/* compute.c - what the operators compute: float32 on the host, any strides, one operand stretched over the other. */
#include "tests/sims/ascend/compute.h"
#include <math.h>

/* ---- element by element ---- */

/* out = EXPRESSION of x and, where there are any, y and z, all of float32 */
#define EACH3(op, out, first, second, third, EXPRESSION)                                               \
	COMPUTE(op)                                                                                    \
	{                                                                                              \
		const struct nnop_operands *o = operands;                                              \
		const struct nnop_tensor *to = TENSOR(out);                                            \
                                                                                                       \
		if (!is_float(to) || !is_float(TENSOR(first)) || !is_float(TENSOR(second)) ||          \
		    !is_float(TENSOR(third)))                                                          \
			return;                                                                        \
		for (int64_t i = 0; i < count(to); i++) {                                              \
			float x = *element(TENSOR(first), to, i), y = *element(TENSOR(second), to, i); \
			float z = *element(TENSOR(third), to, i);                                      \
                                                                                                       \
			(void)x, (void)y, (void)z;                                                     \
			*element(to, to, i) = EXPRESSION;                                              \
		}                                                                                      \
	}
#define EACH(op, out, first, second, EXPRESSION) EACH3(op, out, first, second, first, EXPRESSION)

EACH(add, 3, 0, 1, x + SCALAR(2) * y)
EACH(inplace_add, 0, 0, 1, x + SCALAR(2) * y)
EACH(sub, 3, 0, 1, x - SCALAR(2) * y)
EACH(mul, 2, 0, 1, x *y)
EACH(inplace_mul, 0, 0, 1, x *y)
EACH(div, 2, 0, 1, x / y)
EACH(adds, 3, 0, 0, x + SCALAR(2) * SCALAR(1))
EACH(muls, 2, 0, 0, x *SCALAR(1))
EACH(inplace_muls, 0, 0, 0, x *SCALAR(1))
EACH(neg, 1, 0, 0, -x)
EACH(exp, 1, 0, 0, expf(x))
EACH(sqrt, 1, 0, 0, sqrtf(x))
EACH(relu, 1, 0, 0, x > 0 ? x : 0)

EACH(divs, 2, 0, 0, x / SCALAR(1))
EACH(maximum, 2, 0, 1, x > y ? x : y)
EACH(minimum, 2, 0, 1, x < y ? x : y)
EACH(sigmoid, 1, 0, 0, 1 / (1 + expf(-x)))
EACH(tanh, 1, 0, 0, tanhf(x))
EACH(abs, 1, 0, 0, fabsf(x))
EACH(log, 1, 0, 0, logf(x))
EACH(rsqrt, 1, 0, 0, 1 / sqrtf(x))
EACH(threshold_backward, 3, 0, 1, y > SCALAR(2) ? x : 0)
EACH3(addcmul, 4, 0, 1, 2, x + SCALAR(3) * y * z)
EACH3(addcdiv, 4, 0, 1, 2, x + SCALAR(3) * y / z)
EACH(add_scalar, 2, 0, 0, x + SCALAR(1))
EACH(lerp, 3, 0, 1, x + SCALAR(2) * (y - x))
EACH(inplace_adds, 0, 0, 0, x + SCALAR(2) * SCALAR(1))
EACH(inplace_divs, 0, 0, 0, x / SCALAR(1))
EACH(inplace_lerp, 0, 0, 1, x + SCALAR(2) * (y - x))
EACH3(inplace_addcmul, 0, 0, 1, 2, x + SCALAR(3) * y * z)
EACH3(inplace_addcdiv, 0, 0, 1, 2, x + SCALAR(3) * y / z)

/* ---- matrices ---- */

static float at(const struct nnop_tensor *t, int64_t row, int64_t column)
{
	return ((const float *)(const void *)t->data)[t->offset + row * t->strides[0] + column * t->strides[1]];
}

/* out = beta * c + alpha * (a x b); no c: the product alone */
static void multiply(const struct nnop_tensor *a, const struct nnop_tensor *b, const struct nnop_tensor *out,
		     const struct nnop_tensor *c, float beta, float alpha)
{
	if (!is_float(a) || !is_float(b) || !is_float(out) || a->ndims != 2 || b->ndims != 2 || out->ndims != 2 || (c && !is_float(c)))
		return;
	for (int64_t i = 0; i < count(out); i++) {
		float sum = 0;

		for (int64_t k = 0; k < a->dims[1]; k++)
			sum += at(a, i / out->dims[1], k) * at(b, k, i % out->dims[1]);
		*element(out, out, i) = c ? beta * *element(c, out, i) + alpha * sum : sum;
	}
}

COMPUTE(matmul)
{
	const struct nnop_operands *o = operands;

	multiply(TENSOR(0), TENSOR(1), TENSOR(2), NULL, 0, 1);
}

COMPUTE(addmm)
{
	const struct nnop_operands *o = operands;

	multiply(TENSOR(1), TENSOR(2), TENSOR(5), TENSOR(0), SCALAR(3), SCALAR(4));
}

/* ---- reductions ---- */

static bool reduced(const struct nnop_array *dims, int d, int ndims)
{
	for (int64_t i = 0; i < dims->n; i++)
		if (dims->integers[i] == d || dims->integers[i] + ndims == d)
			return true;
	return !dims->magic || !dims->n;
}

/* The operands: input, dimensions, keep them?, type, output. */
static void reduce(const struct nnop_operands *o, bool mean)
{
	const struct nnop_tensor *in = TENSOR(0), *out = TENSOR(4);
	struct nnop_tensor wide = *in; /* the output in the shape of the input */
	bool keep = o->of[2].number & 1;

	if (!is_float(in) || !is_float(out))
		return;
	wide.data = out->data;
	wide.offset = out->offset;
	for (int d = 0, own = 0; d < in->ndims; d++) {
		bool gone = reduced(&o->of[1].array, d, in->ndims);

		wide.strides[d] = gone ? 0 : out->strides[own];
		own += keep || !gone;
	}
	for (int64_t i = 0; i < count(out); i++)
		*element(out, out, i) = 0;
	for (int64_t i = 0; i < count(in); i++)
		*element(&wide, in, i) += *element(in, in, i);
	for (int64_t i = 0; mean && i < count(out); i++)
		*element(out, out, i) /= (float)count(in) / (float)count(out);
}

COMPUTE(sum)
{
	reduce(operands, false);
}

COMPUTE(mean)
{
	reduce(operands, true);
}
