/* compute_loss.c - logarithms of probabilities, the loss of a classification, and how both change: along the last dimension. */
#include "tests/sims/ascend/compute.h"
#include <math.h>

static int64_t columns(const struct nnop_tensor *t)
{
	return t->ndims ? t->dims[t->ndims - 1] : 1;
}

static float at(const struct nnop_tensor *t, int64_t i)
{
	return *element(t, t, i);
}

/* input, dimension, output */
COMPUTE(log_softmax)
{
	const struct nnop_operands *o = operands;
	const struct nnop_tensor *in = TENSOR(0), *out = TENSOR(2);
	int64_t n = columns(in);

	for (int64_t row = 0; is_float(in) && is_float(out) && row < count(in); row += n) {
		float most = at(in, row), sum = 0;

		for (int64_t i = row; i < row + n; i++)
			most = fmaxf(most, at(in, i));
		for (int64_t i = row; i < row + n; i++)
			sum += expf(at(in, i) - most);
		for (int64_t i = row; i < row + n; i++)
			*element(out, out, i) = at(in, i) - most - logf(sum);
	}
}

/* the output's gradient, the output, dimension, the input's gradient */
COMPUTE(log_softmax_backward)
{
	const struct nnop_operands *o = operands;
	const struct nnop_tensor *gradient = TENSOR(0), *output = TENSOR(1), *out = TENSOR(3);
	int64_t n = columns(output);

	for (int64_t row = 0; is_float(gradient) && is_float(output) && row < count(output); row += n) {
		float sum = 0;

		for (int64_t i = row; i < row + n; i++)
			sum += at(gradient, i);
		for (int64_t i = row; i < row + n; i++)
			*element(out, out, i) = at(gradient, i) - expf(at(output, i)) * sum;
	}
}

static int64_t class_of(const struct nnop_tensor *classes, int64_t row)
{
	int64_t place_of_it = place(classes, classes, row);

	return classes->type == 3 ? ((const int32_t *)(const void *)classes->data)[place_of_it]
				  : ((const int64_t *)(const void *)classes->data)[place_of_it];
}

enum { EACH_ROW,
       MEAN,
       SUM };

/* logarithms of probabilities, classes, weights of the classes, how to reduce, class to leave out, loss, sum of weights */
COMPUTE(nll_loss)
{
	const struct nnop_operands *o = operands;
	const struct nnop_tensor *in = TENSOR(0), *weights = TENSOR(2), *out = TENSOR(5);
	int64_t how = (int64_t)o->of[3].number;
	float loss = 0, weight = 0;

	for (int64_t row = 0; is_float(in) && is_float(out) && row < count(in) / columns(in); row++) {
		int64_t class = class_of(TENSOR(1), row);
		float its = class == (int64_t)o->of[4].number ? 0 : is_float(weights) ? at(weights, class)
										      : 1;
		float value = its > 0 ? -its * at(in, row * columns(in) + class) : 0;

		loss += value;
		weight += its;
		if (how == EACH_ROW)
			*element(out, out, row) = value;
	}
	if (how != EACH_ROW)
		*element(out, out, 0) = how == MEAN ? loss / weight : loss;
	if (is_float(TENSOR(6)))
		*element(TENSOR(6), TENSOR(6), 0) = weight;
}

/* the loss's gradient, then as above, sum of weights, the gradient of the logarithms */
COMPUTE(nll_loss_backward)
{
	const struct nnop_operands *o = operands;
	const struct nnop_tensor *gradient = TENSOR(0), *weights = TENSOR(3), *out = TENSOR(7);
	int64_t how = (int64_t)o->of[4].number, n = columns(out);

	for (int64_t i = 0; is_float(gradient) && is_float(out) && i < count(out); i++) {
		int64_t class = class_of(TENSOR(2), i / n);
		float its = is_float(weights) ? at(weights, class) : 1, from = at(gradient, how == EACH_ROW ? i / n : 0);

		if (i % n != class || class == (int64_t)o->of[5].number)
			*element(out, out, i) = 0;
		else
			*element(out, out, i) = -its * from / (how == MEAN ? at(TENSOR(6), 0) : 1);
	}
}
