/* lm_trainer.h - the parts of lm_train: the device (lm_device.c), the model (lm_model.c), the program (lm_train.c). */
#pragma once
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

#include "lm_reference.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

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
enum { CALL_LIST(AS_CALL) CALLS };
extern unsigned long calls[CALLS];

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
enum { BUFFER_LIST(AS_BUFFER) BUFFERS };

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

__attribute__((noreturn, format(printf, 1, 2))) void die(const char *format, ...);
void check(const char *call, cl_int err);
void *array(size_t n, size_t width); /* zeroed */
uint32_t random_next(uint64_t *state);
uint64_t random_seed(unsigned int seed, int stream);
void print_counts(void);

/* The first device of the first platform that has one; kernels, parameters and buffers on it. */
void device_open(struct trainer *t);
void device_release(struct trainer *t);

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

void launch(struct trainer *t, enum kernel_id id, size_t n, const struct arg *args, cl_uint count);

/* One step of training: forward, backward, Adam. Returns the loss before the update. */
float train_step(struct trainer *t, int step);
