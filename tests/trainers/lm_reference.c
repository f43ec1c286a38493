/*
 * The model once more, one row at a time and in double precision: slow and short, and sharing
 * nothing with the kernels it checks.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lm_reference.h"

#define LM_SHAPE(name, rows, cols) [LM_##name] = { #name, rows, cols },
const struct lm_shape lm_shapes[LM_PARAMS] = { LM_PARAM_LIST(LM_SHAPE) };

/* What the forward pass of one row leaves for its backward pass. */
struct row {
	double in[LM_INPUT], h1[LM_HIDDEN], h2[LM_HIDDEN], p[LM_VOCAB];
};

static void linear(const double *x, int in, const float *w, const float *b, int out, double *y)
{
	for (int c = 0; c < out; c++) {
		y[c] = b[c];
		for (int k = 0; k < in; k++)
			y[c] += x[k] * w[k * out + c];
	}
}

/* Adds to @dw and @db; overwrites @dx. */
static void linear_back(const double *x, int in, const float *w, const double *dy, int out,
			double *dw, double *db, double *dx)
{
	for (int k = 0; k < in; k++)
		dx[k] = 0;
	for (int c = 0; c < out; c++) {
		db[c] += dy[c];
		for (int k = 0; k < in; k++) {
			dw[k * out + c] += x[k] * dy[c];
			dx[k] += w[k * out + c] * dy[c];
		}
	}
}

static void squash(double *y, int n)
{
	for (int i = 0; i < n; i++)
		y[i] = tanh(y[i]);
}

static void squash_back(const double *y, double *dy, int n)
{
	for (int i = 0; i < n; i++)
		dy[i] *= 1 - y[i] * y[i];
}

static void softmax(double *p, int n)
{
	double sum = 0;

	/* The logits of an untrained model are small: no need to subtract their maximum. */
	for (int i = 0; i < n; i++)
		sum += p[i] = exp(p[i]);
	for (int i = 0; i < n; i++)
		p[i] /= sum;
}

static double row_forward(struct row *r, float *const w[LM_PARAMS], const int *tokens, int target)
{
	for (int i = 0; i < LM_INPUT; i++)
		r->in[i] = w[LM_TABLE][tokens[i / LM_EMBED] * LM_EMBED + i % LM_EMBED];

	linear(r->in, LM_INPUT, w[LM_W1], w[LM_B1], LM_HIDDEN, r->h1);
	squash(r->h1, LM_HIDDEN);
	linear(r->h1, LM_HIDDEN, w[LM_W2], w[LM_B2], LM_HIDDEN, r->h2);
	squash(r->h2, LM_HIDDEN);
	linear(r->h2, LM_HIDDEN, w[LM_W3], w[LM_B3], LM_VOCAB, r->p);
	softmax(r->p, LM_VOCAB);
	return -log(r->p[target]);
}

static void row_backward(struct row *r, float *const w[LM_PARAMS], const int *tokens, int target,
			 int batch, double *const g[LM_PARAMS])
{
	double din[LM_INPUT], dh1[LM_HIDDEN], dh2[LM_HIDDEN], dlogits[LM_VOCAB];

	for (int c = 0; c < LM_VOCAB; c++)
		dlogits[c] = (r->p[c] - (c == target)) / batch;

	linear_back(r->h2, LM_HIDDEN, w[LM_W3], dlogits, LM_VOCAB, g[LM_W3], g[LM_B3], dh2);
	squash_back(r->h2, dh2, LM_HIDDEN);
	linear_back(r->h1, LM_HIDDEN, w[LM_W2], dh2, LM_HIDDEN, g[LM_W2], g[LM_B2], dh1);
	squash_back(r->h1, dh1, LM_HIDDEN);
	linear_back(r->in, LM_INPUT, w[LM_W1], dh1, LM_HIDDEN, g[LM_W1], g[LM_B1], din);

	for (int i = 0; i < LM_INPUT; i++)
		g[LM_TABLE][tokens[i / LM_EMBED] * LM_EMBED + i % LM_EMBED] += din[i];
}

int lm_reference(float *const params[LM_PARAMS], const int *tokens, const int *targets,
		 int batch, double *loss, double *const grads[LM_PARAMS])
{
	struct row *r = malloc(sizeof(*r));

	if (!r)
		return -ENOMEM;

	*loss = 0;
	for (int p = 0; p < LM_PARAMS; p++)
		memset(grads[p], 0, lm_size(p) * sizeof(*grads[p]));

	for (int i = 0; i < batch; i++, tokens += LM_CONTEXT) {
		*loss += row_forward(r, params, tokens, targets[i]) / batch;
		row_backward(r, params, tokens, targets[i], batch, grads);
	}

	free(r);
	return 0;
}
