/* The floor: two readings of the processor's own clock around the call, and nothing kept. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef int (*launch_fn)(void *, void *, unsigned int, const size_t *, const size_t *, const size_t *,
			 unsigned int, void *const *, void **);
static launch_fn real;

static inline uint64_t ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0"
			 : "=r"(t));
	return t;
#else
	return 0;
#endif
}

__attribute__((constructor)) static void loaded(void)
{
	real = (launch_fn)dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
}

__attribute__((visibility("default"))) int clEnqueueNDRangeKernel(void *queue, void *kernel, unsigned int dims, const size_t *offset,
								  const size_t *global, const size_t *local, unsigned int n, void *const *list,
								  void **event)
{
	uint64_t begin = ticks();
	int rc = real(queue, kernel, dims, offset, global, local, n, list, event);

	begin = ticks() - begin;
	__asm__ volatile(""
			 :
			 : "r"(begin));
	return rc;
}
