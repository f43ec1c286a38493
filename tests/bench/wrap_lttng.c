/*
 * The anchor: what a careful hand-written LTTng-UST wrapper of the same functions costs. Preloaded; with -DLAYER an
 * OpenCL layer instead (OPENCL_LAYERS), which also sees the calls of programs that look them up by dlsym().
 */
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "bench_tp.h"
#ifdef LAYER
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_layer.h>
#define PREFIX(name) layer_##name
#define SCOPE	     static
#define EXPORT	     __attribute__((visibility("default")))
#else
#include <dlfcn.h>
#define PREFIX(name) name
#define SCOPE	     __attribute__((visibility("default")))
#endif

#define U(x) ((uint64_t)(uintptr_t)(x))

/* WRAP(return, name, parameters, arguments, event at entry with its fields...) */
/* clang-format off */
#define CALLS                                                                                                              \
	WRAP(int, clEnqueueNDRangeKernel, (void *queue, void *kernel, unsigned int dims, const size_t *offset,             \
	     const size_t *global, const size_t *local, unsigned int n, void *const *list, void **event),                  \
	     (queue, kernel, dims, offset, global, local, n, list, event),                                                 \
	     entry, U(kernel), U(queue), (uint32_t)global[0], dims > 1 ? (uint32_t)global[1] : 1,                          \
	     local ? (uint32_t)local[0] : 0, local && dims > 1 ? (uint32_t)local[1] : 1)                                   \
	WRAP(int, clEnqueueWriteBuffer, (void *queue, void *buffer, unsigned int wait, size_t at, size_t size,             \
	     const void *from, unsigned int n, void *const *list, void **event),                                           \
	     (queue, buffer, wait, at, size, from, n, list, event), write, U(buffer), size)                                \
	WRAP(int, clEnqueueReadBuffer, (void *queue, void *buffer, unsigned int wait, size_t at, size_t size, void *to,    \
	     unsigned int n, void *const *list, void **event),                                                             \
	     (queue, buffer, wait, at, size, to, n, list, event), read, U(buffer), size)                                   \
	WRAP(int, clEnqueueFillBuffer, (void *queue, void *buffer, const void *pattern, size_t width, size_t at,           \
	     size_t size, unsigned int n, void *const *list, void **event),                                                \
	     (queue, buffer, pattern, width, at, size, n, list, event), fill, U(buffer), size)                             \
	WRAP(void *, clCreateBuffer, (void *context, uint64_t flags, size_t size, void *host, int *err),                   \
	     (context, flags, size, host, err), create, flags, size)                                                       \
	WRAP(int, clReleaseMemObject, (void *object), (object), release, U(object), 0)                                     \
	WRAP(int, clFinish, (void *queue), (queue), finish, U(queue), 0)
/* clang-format on */

/* clang-format off */
#ifndef LAYER
/* Second phases of operators (fake_opapi.c): which one, its plan and stream. */
#define OPERATOR(n)                                                                                                        \
	WRAP(int, aclnnBench##n, (void *workspace, uint64_t bytes, void *executor, void *stream),                          \
	     (workspace, bytes, executor, stream), entry, U(executor), U(stream), n, (uint32_t)bytes, 0, 0)
#define OPERATORS                                                                                                          \
	OPERATOR(0) OPERATOR(1) OPERATOR(2) OPERATOR(3) OPERATOR(4) OPERATOR(5) OPERATOR(6) OPERATOR(7)                    \
	OPERATOR(8) OPERATOR(9) OPERATOR(10) OPERATOR(11) OPERATOR(12) OPERATOR(13) OPERATOR(14) OPERATOR(15)
#endif
/* clang-format on */

#define WRAP(ret, name, params, args, ...)                                       \
	static ret(*real_##name) params;                                         \
	SCOPE ret PREFIX(name) params                                            \
	{                                                                        \
		ret rc;                                                          \
                                                                                 \
		lttng_ust_tracepoint(ranktrace_bench, __VA_ARGS__);              \
		rc = real_##name args;                                           \
		lttng_ust_tracepoint(ranktrace_bench, exit, (int)(uintptr_t)rc); \
		return rc;                                                       \
	}
CALLS
#ifndef LAYER
#undef WRAP
/* Their library is opened later than we are loaded. */
#define WRAP(ret, name, params, args, ...)                                                             \
	SCOPE ret name params                                                                          \
	{                                                                                              \
		static ret(*real) params;                                                              \
		ret rc;                                                                                \
                                                                                                       \
		if (__builtin_expect(!real, 0))                                                        \
			*(void **)&real = dlsym(dlopen("libopapi.so", RTLD_NOW | RTLD_NOLOAD), #name); \
		lttng_ust_tracepoint(ranktrace_bench, __VA_ARGS__);                                    \
		rc = real args;                                                                        \
		lttng_ust_tracepoint(ranktrace_bench, exit, rc);                                       \
		return rc;                                                                             \
	}
OPERATORS
#endif
#undef WRAP

#ifdef LAYER
static cl_icd_dispatch table;

EXPORT cl_int clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *size_ret)
{
	if (what != CL_LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	if (value && size >= sizeof(cl_layer_api_version))
		*(cl_layer_api_version *)value = CL_LAYER_API_VERSION_100;
	if (size_ret)
		*size_ret = sizeof(cl_layer_api_version);
	return CL_SUCCESS;
}

EXPORT cl_int clInitLayer(cl_uint n, const struct _cl_icd_dispatch *next, cl_uint *n_ret, const struct _cl_icd_dispatch **ours)
{
	table = *next;
#define WRAP(ret, name, ...) real_##name = (void *)next->name, table.name = (void *)layer_##name;
	CALLS
	*n_ret = n;
	*ours = &table;
	return CL_SUCCESS;
}
#else
__attribute__((constructor)) static void loaded(void)
{
#define WRAP(ret, name, ...) *(void **)&real_##name = dlsym(RTLD_NEXT, #name);
	CALLS
}
#endif
