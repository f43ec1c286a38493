/* lm_model.c - the model of lm_train: an embedding, two tanh layers, a softmax, and Adam. */
#include "lm_trainer.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LEARNING_RATE 0.01
#define ADAM_EPSILON  1e-8

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec * 1e-6;
}

static void read_back(struct trainer *t, cl_mem from, size_t n, float *to)
{
	TRY(clEnqueueReadBuffer, t->queue, from, CL_TRUE, 0, n * sizeof(*to), to, 0, NULL, NULL);
}

static void linear_forward(struct trainer *t, cl_mem x, enum lm_param layer, cl_mem y)
{
	int in = lm_shapes[layer].rows, out = lm_shapes[layer].cols, n = t->opt.batch * out;

	LAUNCH(t, K_linear_forward, n, MEM(x), MEM(t->params[layer].value),
	       MEM(t->params[layer + 1].value), MEM(y), INT(in), INT(out), INT(n));
}

/* The bias is the parameter after its weight. */
static void linear_backward(struct trainer *t, cl_mem x, enum lm_param layer, cl_mem dy, cl_mem dx)
{
	struct tensor *w = &t->params[layer], *b = &t->params[layer + 1];
	int in = lm_shapes[layer].rows, out = lm_shapes[layer].cols, rows = t->opt.batch;

	LAUNCH(t, K_linear_backward_weight, in * out, MEM(x), MEM(dy), MEM(w->grad),
	       INT(in), INT(out), INT(rows), INT(in * out));
	LAUNCH(t, K_linear_backward_bias, out, MEM(dy), MEM(b->grad), INT(rows), INT(out));
	LAUNCH(t, K_linear_backward_input, rows * in, MEM(dy), MEM(w->value), MEM(dx),
	       INT(in), INT(out), INT(rows * in));
}

static void forward(struct trainer *t)
{
	int rows = t->opt.batch, input = rows * LM_INPUT, hidden = rows * LM_HIDDEN;
	cl_mem *b = t->buffers;

	LAUNCH(t, K_embed_forward, input, MEM(b[BUF_TOKENS]), MEM(t->params[LM_TABLE].value),
	       MEM(b[BUF_IN]), INT(LM_EMBED), INT(input));
	linear_forward(t, b[BUF_IN], LM_W1, b[BUF_H1]);
	LAUNCH(t, K_tanh_forward, hidden, MEM(b[BUF_H1]), INT(hidden));
	linear_forward(t, b[BUF_H1], LM_W2, b[BUF_H2]);
	LAUNCH(t, K_tanh_forward, hidden, MEM(b[BUF_H2]), INT(hidden));
	linear_forward(t, b[BUF_H2], LM_W3, b[BUF_P]);
	LAUNCH(t, K_softmax_loss, rows, MEM(b[BUF_P]), MEM(b[BUF_TARGETS]), MEM(b[BUF_LOSSES]),
	       INT(LM_VOCAB), INT(rows));
	LAUNCH(t, K_mean_loss, 1, MEM(b[BUF_LOSSES]), MEM(b[BUF_LOSS]), INT(rows));
}

static void backward(struct trainer *t)
{
	int rows = t->opt.batch, hidden = rows * LM_HIDDEN, table = lm_size(LM_TABLE);
	cl_mem *b = t->buffers;

	LAUNCH(t, K_softmax_backward, rows * LM_VOCAB, MEM(b[BUF_P]), MEM(b[BUF_TARGETS]),
	       MEM(b[BUF_DLOGITS]), INT(LM_VOCAB), INT(rows), INT(rows * LM_VOCAB));
	linear_backward(t, b[BUF_H2], LM_W3, b[BUF_DLOGITS], b[BUF_DH2]);
	LAUNCH(t, K_tanh_backward, hidden, MEM(b[BUF_H2]), MEM(b[BUF_DH2]), INT(hidden));
	linear_backward(t, b[BUF_H1], LM_W2, b[BUF_DH2], b[BUF_DH1]);
	LAUNCH(t, K_tanh_backward, hidden, MEM(b[BUF_H1]), MEM(b[BUF_DH1]), INT(hidden));
	linear_backward(t, b[BUF_IN], LM_W1, b[BUF_DH1], b[BUF_DIN]);
	LAUNCH(t, K_embed_backward, table, MEM(b[BUF_TOKENS]), MEM(b[BUF_DIN]),
	       MEM(t->params[LM_TABLE].grad), INT(LM_EMBED), INT(rows * LM_CONTEXT), INT(table));
}

/* One launch per parameter tensor: these end the step. @step counts from 1. */
static void optimize(struct trainer *t, int step)
{
	double correct = sqrt(1 - pow(0.999, step));
	double rate = LEARNING_RATE * correct / (1 - pow(0.9, step));

	for (int p = 0; p < LM_PARAMS; p++) {
		struct tensor *w = &t->params[p];

		LAUNCH(t, K_adam_update, lm_size(p), MEM(w->value), MEM(w->grad), MEM(w->mean),
		       MEM(w->square), FLOAT(rate), FLOAT(ADAM_EPSILON * correct),
		       INT(lm_size(p)));
	}
}

static int token_of(char c)
{
	return c >= ' ' && c <= '~' ? c - ' ' : LM_VOCAB - 1;
}

/* The uploads do not block: the batch stays as it is until the clFinish() that ends the step. */
static void upload_batch(struct trainer *t)
{
	size_t rows = t->opt.batch;

	for (size_t i = 0; i < rows; i++) {
		const char *s = t->shard + random_next(&t->random) % (t->shard_len - LM_CONTEXT);

		for (int k = 0; k < LM_CONTEXT; k++)
			t->tokens[i * LM_CONTEXT + k] = token_of(s[k]);
		t->targets[i] = token_of(s[LM_CONTEXT]);
	}

	TRY(clEnqueueWriteBuffer, t->queue, t->buffers[BUF_TOKENS], CL_FALSE, 0,
	    rows * LM_CONTEXT * sizeof(*t->tokens), t->tokens, 0, NULL, NULL);
	TRY(clEnqueueWriteBuffer, t->queue, t->buffers[BUF_TARGETS], CL_FALSE, 0,
	    rows * sizeof(*t->targets), t->targets, 0, NULL, NULL);
}

static float read_loss(struct trainer *t)
{
	float loss;

	read_back(t, t->buffers[BUF_LOSS], 1, &loss);
	return loss;
}

/* The largest error of a gradient, in parts of the element's own size plus the tensor's rms. */
static double gradient_error(struct trainer *t, enum lm_param p, const double *want)
{
	int n = lm_size(p);
	float *got = array(n, sizeof(*got));
	double squares = 0, worst = 0;

	read_back(t, t->params[p].grad, n, got);
	for (int i = 0; i < n; i++)
		squares += want[i] * want[i];

	for (int i = 0; i < n; i++) {
		double scale = fabs(want[i]) + sqrt(squares / n);
		double error = fabs(got[i] - want[i]) / (scale + 1e-30);

		/* A NaN is an error too. */
		if (!(error <= worst))
			worst = error;
	}
	free(got);
	return worst;
}

/* Before the first update: the device's loss and gradient against the plain C ones. */
static void verify(struct trainer *t)
{
	float *params[LM_PARAMS];
	double *grads[LM_PARAMS], loss, error;

	for (int p = 0; p < LM_PARAMS; p++) {
		params[p] = t->params[p].initial;
		grads[p] = array(lm_size(p), sizeof(*grads[p]));
	}
	if (lm_reference(params, t->tokens, t->targets, t->opt.batch, &loss, grads))
		die("out of memory");

	error = fabs(read_loss(t) - loss) / loss;
	printf("verify loss %.6f error %.1e\n", loss, error);
	if (!(error <= 1e-4))
		die("the first loss is wrong");

	for (int p = 0; p < LM_PARAMS; p++) {
		error = gradient_error(t, p, grads[p]);
		printf("verify gradient %s error %.1e\n", lm_shapes[p].name, error);
		if (!(error <= 1e-4))
			die("the gradient of %s is wrong", lm_shapes[p].name);
		free(grads[p]);
	}
}

float train_step(struct trainer *t, int step)
{
	double begin = now_ms();
	float loss;

	upload_batch(t);
	forward(t);
	backward(t);
	if (step == 0 && t->opt.verify)
		verify(t);
	optimize(t, step + 1);
	loss = read_loss(t);
	TRY(clFinish, t->queue);

	if (!t->opt.quiet) {
		printf("rank %d step %d loss %.4f (%.1f ms)\n", t->rank, step, loss,
		       now_ms() - begin);
		fflush(stdout);
	}
	return loss;
}
