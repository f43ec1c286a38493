/*
 * A stand-in for libmspti.so, a vendor's own tool that wants to be preloaded, too: it takes the calls
 * that it watches and hands them to whoever comes next. What it saw goes to the file MSPTI_OUT.
 */
#include "tests/helpers/kill/fake_opencl.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef int launch_fn(void *, void *, unsigned int, const size_t *, const size_t *, const size_t *, unsigned int,
		      void *const *, void **);

static launch_fn *next;
static atomic_ulong seen;

__attribute__((constructor)) static void loaded(void)
{
	next = (launch_fn *)dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
}

int clEnqueueNDRangeKernel(void *queue, void *kernel, unsigned int dims, const size_t *offset, const size_t *global,
			   const size_t *local, unsigned int n, void *const *list, void **event)
{
	atomic_fetch_add(&seen, 1);
	return next(queue, kernel, dims, offset, global, local, n, list, event);
}

__attribute__((destructor)) static void leaving(void)
{
	FILE *out = getenv("MSPTI_OUT") ? fopen(getenv("MSPTI_OUT"), "w") : NULL;

	if (!out)
		return;
	fprintf(out, "%lu\n", atomic_load(&seen));
	fclose(out);
}
