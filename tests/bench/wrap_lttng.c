/* The anchor: what a careful hand-written LTTng-UST wrapper of the same function costs. */
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "bench_tp.h"
#include <dlfcn.h>

typedef int (*launch_fn)(void *, void *, unsigned int, const size_t *, const size_t *, const size_t *,
			 unsigned int, void *const *, void **);
static launch_fn real;

__attribute__((constructor)) static void loaded(void)
{
	real = (launch_fn)dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
}

__attribute__((visibility("default"))) int clEnqueueNDRangeKernel(void *queue, void *kernel, unsigned int dims, const size_t *offset,
								  const size_t *global, const size_t *local, unsigned int n, void *const *list,
								  void **event)
{
	int rc;

	lttng_ust_tracepoint(ranktrace_bench, entry, (uint64_t)(uintptr_t)kernel, (uint64_t)(uintptr_t)queue,
			     (uint32_t)global[0], (uint32_t)global[1], (uint32_t)local[0], (uint32_t)local[1]);
	rc = real(queue, kernel, dims, offset, global, local, n, list, event);
	lttng_ust_tracepoint(ranktrace_bench, exit, rc);
	return rc;
}
