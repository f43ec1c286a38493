/* lm_device.c - OpenCL for lm_train: calls are counted, errors end the program. */
#include "lm_trainer.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* All work groups have one size: every kernel is then compiled once, whatever it runs over. */
#define WORK_GROUP 32

extern const char lm_kernels[], lm_kernels_end[]; /* lm_train.c */

#define AS_NAME(name)	      #name,
#define AS_WIDTH(name, width) width,
static const char *const call_names[CALLS] = { CALL_LIST(AS_NAME) };
static const char *const kernel_names[KERNELS] = { KERNEL_LIST(AS_NAME) };
static const int buffer_widths[BUFFERS] = { BUFFER_LIST(AS_WIDTH) };
unsigned long calls[CALLS];

void die(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fputs("lm_train: ", stderr);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

void check(const char *call, cl_int err)
{
	if (err != CL_SUCCESS)
		die("%s: error %d", call, err);
}

void *array(size_t n, size_t width)
{
	void *p = calloc(n, width);

	if (!p)
		die("out of memory");
	return p;
}

/* xorshift64*: the same numbers on every machine. */
uint32_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL >> 32;
}

uint64_t random_seed(unsigned int seed, int stream)
{
	return (seed * 1000003ULL + stream + 1) * 0x9e3779b97f4a7c15ULL;
}

void launch(struct trainer *t, enum kernel_id id, size_t n, const struct arg *args,
	    cl_uint count)
{
	size_t local = WORK_GROUP, global = (n + local - 1) / local * local;

	for (cl_uint i = 0; i < count; i++)
		TRY(clSetKernelArg, t->kernels[id], i, args[i].size, args[i].value);
	TRY(clEnqueueNDRangeKernel, t->queue, t->kernels[id], 1, NULL, &global, &local,
	    0, NULL, NULL);
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

void device_open(struct trainer *t)
{
	open_device(t);
	build_kernels(t);
	create_buffers(t);
}

void device_release(struct trainer *t)
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

void print_counts(void)
{
	for (int i = 0; i < CALLS; i++)
		if (calls[i])
			printf("%s %lu\n", call_names[i], calls[i]);
}
