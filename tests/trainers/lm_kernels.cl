/*
 * The language model's kernels. Matrices are row major; every kernel runs over a flat index
 * padded to whole work groups, so each begins by dropping the items past its end.
 */

/* One row of the table for each token: out[i, :] = table[tokens[i], :]. */
kernel void embed_forward(global const int *tokens, global const float *table,
			  global float *out, int width, int n)
{
	int i = get_global_id(0);

	if (i >= n)
		return;
	out[i] = table[tokens[i / width] * width + i % width];
}

/* y = x w + b, with x[rows, in], w[in, out] and n = rows * out. */
kernel void linear_forward(global const float *x, global const float *w, global const float *b,
			   global float *y, int in, int out, int n)
{
	int i = get_global_id(0);
	int row = i / out, col = i % out;

	if (i >= n)
		return;

	float sum = b[col];

	for (int k = 0; k < in; k++)
		sum += x[row * in + k] * w[k * out + col];
	y[i] = sum;
}

kernel void tanh_forward(global float *y, int n)
{
	int i = get_global_id(0);

	if (i >= n)
		return;
	y[i] = tanh(y[i]);
}

/* Turns each row of logits into probabilities, and keeps the cross entropy of that row. */
kernel void softmax_loss(global float *p, global const int *targets, global float *losses,
			 int classes, int rows)
{
	int row = get_global_id(0);

	if (row >= rows)
		return;

	global float *q = p + row * classes;
	float top = q[0], sum = 0;

	for (int c = 1; c < classes; c++)
		top = max(top, q[c]);
	for (int c = 0; c < classes; c++)
		sum += exp(q[c] - top);

	losses[row] = log(sum) + top - q[targets[row]];
	for (int c = 0; c < classes; c++)
		q[c] = exp(q[c] - top) / sum;
}

kernel void mean_loss(global const float *losses, global float *loss, int rows)
{
	float sum = 0;

	if (get_global_id(0) > 0)
		return;
	for (int row = 0; row < rows; row++)
		sum += losses[row];
	loss[0] = sum / rows;
}

/* The gradient of the mean loss by the logits: (p - onehot) / rows. */
kernel void softmax_backward(global const float *p, global const int *targets,
			     global float *dlogits, int classes, int rows, int n)
{
	int i = get_global_id(0);

	if (i >= n)
		return;
	dlogits[i] = (p[i] - (i % classes == targets[i / classes] ? 1.0f : 0.0f)) / rows;
}

/* dx = dy w^T, with n = rows * in. */
kernel void linear_backward_input(global const float *dy, global const float *w,
				  global float *dx, int in, int out, int n)
{
	int i = get_global_id(0);
	int row = i / in, k = i % in;
	float sum = 0;

	if (i >= n)
		return;
	for (int c = 0; c < out; c++)
		sum += dy[row * out + c] * w[k * out + c];
	dx[i] = sum;
}

/* dw = x^T dy, with n = in * out. */
kernel void linear_backward_weight(global const float *x, global const float *dy,
				   global float *dw, int in, int out, int rows, int n)
{
	int i = get_global_id(0);
	int k = i / out, col = i % out;
	float sum = 0;

	if (i >= n)
		return;
	for (int row = 0; row < rows; row++)
		sum += x[row * in + k] * dy[row * out + col];
	dw[i] = sum;
}

kernel void linear_backward_bias(global const float *dy, global float *db, int rows, int out)
{
	int col = get_global_id(0);
	float sum = 0;

	if (col >= out)
		return;
	for (int row = 0; row < rows; row++)
		sum += dy[row * out + col];
	db[col] = sum;
}

/* In place: dy becomes the gradient by the input of tanh, of which y is the output. */
kernel void tanh_backward(global const float *y, global float *dy, int n)
{
	int i = get_global_id(0);

	if (i >= n)
		return;
	dy[i] *= 1 - y[i] * y[i];
}

/* Gathers per table entry instead of scattering per token: no atomics, the same sum every run. */
kernel void embed_backward(global const int *tokens, global const float *dout,
			   global float *dtable, int width, int count, int n)
{
	int i = get_global_id(0);
	int token = i / width, col = i % width;
	float sum = 0;

	if (i >= n)
		return;
	for (int t = 0; t < count; t++)
		if (tokens[t] == token)
			sum += dout[t * width + col];
	dtable[i] = sum;
}

/* The bias corrections depend only on the step, so the host folds them into rate and epsilon. */
kernel void adam_update(global float *param, global const float *grad, global float *m,
			global float *v, float rate, float epsilon, int n)
{
	int i = get_global_id(0);

	if (i >= n)
		return;
	m[i] = 0.9f * m[i] + 0.1f * grad[i];
	v[i] = 0.999f * v[i] + 0.001f * grad[i] * grad[i];
	param[i] -= rate * m[i] / (sqrt(v[i]) + epsilon);
}
