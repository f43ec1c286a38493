/*
 * lookups LIBRARY - what dlsym costs for names of a library that was opened for itself. Prints <name>=ns for each, the best of
 * many batches. With -DNAMES it is that library.
 */
#define EACH(NAME) NAME(clFinish) NAME(clEnqueueNDRangeKernel) NAME(aclrtMemcpyAsync) NAME(aclnnAdd) NAME(PyInit_other) NAME(malloc_other) NAME(clock_other)

#ifdef NAMES

#define NAME(name)       \
	void name(void); \
	void name(void)  \
	{                \
	}
EACH(NAME)

#else

#include "bench.h"
#include <dlfcn.h>
#include <stdio.h>

#define BATCHES	   3000
#define BATCH	   500

static double cost_of(void *library, const char *name)
{
	double least = 1e9;

	for (unsigned int i = 0; i < BATCHES; i++) {
		uint64_t begin = bench_ns(CLOCK_MONOTONIC);
		double ns;

		for (unsigned int j = 0; j < BATCH; j++)
			if (!dlsym(library, name))
				return -1;
		ns = (double)(bench_ns(CLOCK_MONOTONIC) - begin) / BATCH;
		least = ns < least ? ns : least;
	}
	return least;
}

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;

	if (!library)
		return 1;
#define NAME(name) printf(#name "=%.2f\n", cost_of(library, #name));
	EACH(NAME)
	return 0;
}

#endif
