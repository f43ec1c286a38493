/* A malloc that launches on each tenth call, on top of whatever asked for memory. */
#include "fake_opencl.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
static _Atomic unsigned int allocations;
static _Atomic int ready;
static __thread volatile int inside __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void loaded(void)
{
	const char *wanted = getenv("LIFE_MALLOC");

	ready = wanted && !strcmp(wanted, "launch");
}

void *malloc(size_t size)
{
	if (ready && !inside && allocations++ % 10 == 0) {
		inside = 1;
		clEnqueueNDRangeKernel(NULL, "malloc", 0, NULL, NULL, NULL, 0, NULL, NULL);
		inside = 0;
	}
	return __libc_malloc(size);
}
