/*
 * Trains a character language model on OpenCL 1.2: the embedding of LM_CONTEXT characters, two
 * tanh layers and a softmax over the next character, with Adam. Each of WORLD_SIZE ranks
 * trains its own copy on its own shard of the text.
 *
 * The kernels and the text are part of the executable: build from the top of the repository,
 * or with -I pointing there.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lm_reference.h"

#define COUNT_OF(a)   (sizeof(a) / sizeof((a)[0]))

/* All work groups have one size: every kernel is then compiled once, whatever it runs over. */
#define WORK_GROUP    32

#define LEARNING_RATE 0.01
#define ADAM_EPSILON  1e-8

#define EMBED_FILE(symbol, path)                                                                                      \
	__asm__(".pushsection .rodata\n"                                                                              \
		".globl " #symbol ", " #symbol "_end\n"                                                               \
		".hidden " #symbol ", " #symbol "_end\n" #symbol ": .incbin \"" path "\"\n" #symbol "_end: .byte 0\n" \
		".popsection\n");                                                                                     \
	extern const char symbol[], symbol##_end[]

EMBED_FILE(lm_text, "tests/trainers/lm_text.txt");
EMBED_FILE(lm_kernels, "tests/trainers/lm_kernels.cl");

/* Every OpenCL call is made through CALL(), which counts it for --print-counts. */
/* clang-format off: it takes a list of macros for nested statements */
#define CALL_LIST(X)                 \
	X(clBuildProgram)            \
	X(clCreateBuffer)            \
	X(clCreateCommandQueue)      \
	X(clCreateContext)           \
	X(clCreateKernel)            \
	X(clCreateProgramWithSource) \
	X(clEnqueueFillBuffer)       \
	X(clEnqueueNDRangeKernel)    \
	X(clEnqueueReadBuffer)       \
	X(clEnqueueWriteBuffer)      \
	X(clFinish)                  \
	X(clGetDeviceIDs)            \
	X(clGetPlatformIDs)          \
	X(clGetProgramBuildInfo)     \
	X(clReleaseCommandQueue)     \
	X(clReleaseContext)          \
	X(clReleaseKernel)           \
	X(clReleaseMemObject)        \
	X(clReleaseProgram)          \
	X(clSetKernelArg)
/* clang-format on */

#define AS_CALL(name) CALL_##name,
#define AS_NAME(name) #name,
enum { CALL_LIST(AS_CALL) CALLS };
static const char *const call_names[CALLS] = { CALL_LIST(AS_NAME) };
static unsigned long calls[CALLS];

#define CALL(name, ...) (calls[CALL_##name]++, name(__VA_ARGS__))
#define TRY(name, ...)	check(#name, CALL(name, __VA_ARGS__))
#define CREATE(object, name, ...)                              \
	do {                                                   \
		cl_int create_err;                             \
                                                               \
		object = CALL(name, __VA_ARGS__, &create_err); \
		check(#name, create_err);                      \
	} while (0)

/* clang-format off: it takes a list of macros for nested statements */
#define KERNEL_LIST(X)            \
	X(embed_forward)          \
	X(linear_forward)         \
	X(tanh_forward)           \
	X(softmax_loss)           \
	X(mean_loss)              \
	X(softmax_backward)       \
	X(linear_backward_input)  \
	X(linear_backward_weight) \
	X(linear_backward_bias)   \
	X(tanh_backward)          \
	X(embed_backward)         \
	X(adam_update)
/* clang-format on */

#define AS_KERNEL(name) K_##name,
enum kernel_id { KERNEL_LIST(AS_KERNEL) KERNELS };
static const char *const kernel_names[KERNELS] = { KERNEL_LIST(AS_NAME) };

/* name, elements per row of a batch; all elements are four bytes wide. */
/* clang-format off: it takes a list of macros for nested statements */
#define BUFFER_LIST(X)        \
	X(TOKENS, LM_CONTEXT) \
	X(TARGETS, 1)         \
	X(LOSSES, 1)          \
	X(LOSS, 1)            \
	X(IN, LM_INPUT)       \
	X(H1, LM_HIDDEN)      \
	X(H2, LM_HIDDEN)      \
	X(P, LM_VOCAB)        \
	X(DIN, LM_INPUT)      \
	X(DH1, LM_HIDDEN)     \
	X(DH2, LM_HIDDEN)     \
	X(DLOGITS, LM_VOCAB)
/* clang-format on */

#define AS_BUFFER(name, width) BUF_##name,
#define AS_WIDTH(name, width)  width,
enum { BUFFER_LIST(AS_BUFFER) BUFFERS };
static const int buffer_widths[BUFFERS] = { BUFFER_LIST(AS_WIDTH) };

struct options {
	int steps, batch;
	unsigned int seed;
	bool verify, quiet, print_counts;
};

/* A parameter tensor; @mean and @square are Adam's two moments. */
struct tensor {
	cl_mem value, grad, mean, square;
	float *initial;
};

struct trainer {
	struct options opt;
	int rank, world;

	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernels[KERNELS];

	struct tensor params[LM_PARAMS];
	cl_mem buffers[BUFFERS];

	const char *shard;
	int shard_len;
	uint64_t random;
	cl_int *tokens, *targets; /* the batch that was uploaded last */
};

__attribute__((noreturn, format(printf, 1, 2))) static void die(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fputs("lm_train: ", stderr);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

static void check(const char *call, cl_int err)
{
	if (err != CL_SUCCESS)
		die("%s: error %d", call, err);
}

static void *array(size_t n, size_t width)
{
	void *p = calloc(n, width);

	if (!p)
		die("out of memory");
	return p;
}

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec * 1e-6;
}

/* xorshift64*: the same numbers on every machine. */
static uint32_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL >> 32;
}

static uint64_t random_seed(unsigned int seed, int stream)
{
	return (seed * 1000003ULL + stream + 1) * 0x9e3779b97f4a7c15ULL;
}

/* A launch takes its arguments as a list of MEM(), INT() and FLOAT(). */
struct arg {
	size_t size;
	const void *value;
};

#define MEM(buffer)                       \
	{                                 \
		sizeof(cl_mem), &(buffer) \
	}
#define INT(i)                            \
	{                                 \
		sizeof(cl_int), &(cl_int) \
		{                         \
			i                 \
		}                         \
	}
#define FLOAT(f)                              \
	{                                     \
		sizeof(cl_float), &(cl_float) \
		{                             \
			f                     \
		}                             \
	}
#define LAUNCH(t, id, n, ...)                           \
	launch(t, id, n, (struct arg[]){ __VA_ARGS__ }, \
	       COUNT_OF(((struct arg[]){ __VA_ARGS__ })))

static void launch(struct trainer *t, enum kernel_id id, size_t n, const struct arg *args,
		   cl_uint count)
{
	size_t local = WORK_GROUP, global = (n + local - 1) / local * local;

	for (cl_uint i = 0; i < count; i++)
		TRY(clSetKernelArg, t->kernels[id], i, args[i].size, args[i].value);
	TRY(clEnqueueNDRangeKernel, t->queue, t->kernels[id], 1, NULL, &global, &local,
	    0, NULL, NULL);
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

static float train_step(struct trainer *t, int step)
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

static void train(struct trainer *t)
{
	float first = 0, last = 0;

	for (int step = 0; step < t->opt.steps; step++) {
		last = train_step(t, step);
		if (step == 0)
			first = last;
	}
	if (t->opt.steps > 1 && !(last < first))
		die("the loss did not fall: first %.4f, last %.4f", first, last);
}

static void open_device(struct trainer *t)
{
	cl_platform_id platforms[16];
	cl_uint count, i;
	cl_int err = CL_DEVICE_NOT_FOUND;

	TRY(clGetPlatformIDs, COUNT_OF(platforms), platforms, &count);
	if (count > COUNT_OF(platforms))
		count = COUNT_OF(platforms);
	for (i = 0; i < count && err == CL_DEVICE_NOT_FOUND; i++)
		err = CALL(clGetDeviceIDs, platforms[i], CL_DEVICE_TYPE_ALL, 1, &t->device, NULL);
	check("clGetDeviceIDs", err);

	CREATE(t->context, clCreateContext, NULL, 1, &t->device, NULL, NULL);
	CREATE(t->queue, clCreateCommandQueue, t->context, t->device, 0);
}

static void print_build_log(struct trainer *t)
{
	static char text[16384];

	TRY(clGetProgramBuildInfo, t->program, t->device, CL_PROGRAM_BUILD_LOG,
	    sizeof(text) - 1, text, NULL);
	fprintf(stderr, "%s\n", text);
}

static void build_kernels(struct trainer *t)
{
	const char *source = lm_kernels;
	size_t len = lm_kernels_end - lm_kernels;
	cl_int err;

	CREATE(t->program, clCreateProgramWithSource, t->context, 1, &source, &len);
	err = CALL(clBuildProgram, t->program, 1, &t->device, "", NULL, NULL);
	if (err == CL_BUILD_PROGRAM_FAILURE)
		print_build_log(t);
	check("clBuildProgram", err);

	for (int k = 0; k < KERNELS; k++)
		CREATE(t->kernels[k], clCreateKernel, t->program, kernel_names[k]);
}

static cl_mem zeros(struct trainer *t, size_t n)
{
	const float zero = 0;
	cl_mem buffer;

	CREATE(buffer, clCreateBuffer, t->context, CL_MEM_READ_WRITE, n * sizeof(zero), NULL);
	TRY(clEnqueueFillBuffer, t->queue, buffer, &zero, sizeof(zero), 0, n * sizeof(zero),
	    0, NULL, NULL);
	return buffer;
}

/* Uniform in +-sqrt(3 / rows), so of variance 1 / rows; biases begin at zero. */
static float *initial_values(enum lm_param p, uint64_t *state)
{
	const struct lm_shape *shape = &lm_shapes[p];
	float *v = array(lm_size(p), sizeof(*v));

	for (int i = 0; i < lm_size(p) && shape->rows > 1; i++)
		v[i] = (random_next(state) / 2147483648.0 - 1) * sqrt(3.0 / shape->rows);
	return v;
}

static void create_buffers(struct trainer *t)
{
	uint64_t state = random_seed(t->opt.seed, 0);
	size_t rows = t->opt.batch;

	for (int p = 0; p < LM_PARAMS; p++) {
		struct tensor *w = &t->params[p];
		size_t n = lm_size(p);

		w->initial = initial_values(p, &state);
		CREATE(w->value, clCreateBuffer, t->context,
		       CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, n * sizeof(float), w->initial);
		w->grad = zeros(t, n);
		w->mean = zeros(t, n);
		w->square = zeros(t, n);
	}

	for (int b = 0; b < BUFFERS; b++)
		t->buffers[b] = zeros(t, rows * buffer_widths[b]);
	t->tokens = array(rows * LM_CONTEXT, sizeof(*t->tokens));
	t->targets = array(rows, sizeof(*t->targets));
}

static void release_all(struct trainer *t)
{
	free(t->targets);
	free(t->tokens);
	for (int b = 0; b < BUFFERS; b++)
		TRY(clReleaseMemObject, t->buffers[b]);
	for (int p = 0; p < LM_PARAMS; p++) {
		TRY(clReleaseMemObject, t->params[p].square);
		TRY(clReleaseMemObject, t->params[p].mean);
		TRY(clReleaseMemObject, t->params[p].grad);
		TRY(clReleaseMemObject, t->params[p].value);
		free(t->params[p].initial);
	}
	for (int k = 0; k < KERNELS; k++)
		TRY(clReleaseKernel, t->kernels[k]);
	TRY(clReleaseProgram, t->program);
	TRY(clReleaseCommandQueue, t->queue);
	TRY(clReleaseContext, t->context);
}

static int number(const char *name, const char *text, int least)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || end == text || *end || n < least || n > 100000000)
		die("%s: '%s' is not a number of at least %d", name, text, least);
	return n;
}

static int environment(const char *name, int missing, int least)
{
	const char *text = getenv(name);

	return text && *text ? number(name, text, least) : missing;
}

static void take_shard(struct trainer *t)
{
	size_t len = lm_text_end - lm_text;

	t->rank = environment("RANK", 0, 0);
	t->world = environment("WORLD_SIZE", 1, 1);
	if (t->rank >= t->world)
		die("RANK %d is not below WORLD_SIZE %d", t->rank, t->world);

	t->shard = lm_text + len * t->rank / t->world;
	t->shard_len = lm_text + len * (t->rank + 1) / t->world - t->shard;
	if (t->shard_len <= LM_CONTEXT)
		die("the text is too short for %d ranks", t->world);
	t->random = random_seed(t->opt.seed, t->rank + 1);
}

static void usage(FILE *to)
{
	fputs("usage: lm_train [--steps N] [--batch B] [--seed S] [--verify] [--quiet]\n"
	      "                [--print-counts]\n",
	      to);
}

static void parse_options(struct options *opt, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "steps", required_argument, NULL, 's' },
		{ "batch", required_argument, NULL, 'b' },
		{ "seed", required_argument, NULL, 'S' },
		{ "verify", no_argument, NULL, 'v' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "print-counts", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (c) {
		case 's': opt->steps = number("--steps", optarg, 1); break;
		case 'b': opt->batch = number("--batch", optarg, 1); break;
		case 'S': opt->seed = number("--seed", optarg, 0); break;
		case 'v': opt->verify = true; break;
		case 'q': opt->quiet = true; break;
		case 'c': opt->print_counts = true; break;
		case 'h': usage(stdout); exit(0);
		default: usage(stderr); exit(2);
		}
	}
	if (optind < argc || opt->batch > 65536) {
		usage(stderr);
		exit(2);
	}
}

static void print_counts(void)
{
	for (int i = 0; i < CALLS; i++)
		if (calls[i])
			printf("%s %lu\n", call_names[i], calls[i]);
}

int main(int argc, char **argv)
{
	struct trainer t = { .opt = { .steps = 8, .batch = 64, .seed = 1 } };

	parse_options(&t.opt, argc, argv);
	take_shard(&t);

	open_device(&t);
	build_kernels(&t);
	create_buffers(&t);
	train(&t);
	release_all(&t);

	if (t.opt.print_counts)
		print_counts();
	return 0;
}
