/* processor.h - loops that are made twice: for any processor, and for one that has instructions of 2013. */
#pragma once
#include <stdbool.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>

/* Shifts by any count, and the place of the highest one, in one instruction and not in two to eight. */
#define PROCESSOR_NEWER __attribute__((target("bmi,bmi2,lzcnt")))

/* Asks the processor itself: __builtin_cpu_supports() needs a constructor of libgcc to have run. */
static inline bool processor_ask(void)
{
	unsigned int a, b, c, d, more;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI) && (b & bit_BMI2) &&
	       __get_cpuid(0x80000001, &a, &b, &more, &d) && (more & bit_LZCNT);
}

static inline bool processor_is_newer(void)
{
	enum { UNKNOWN,
	       NO,
	       YES };
	static _Atomic int known; /* a virtual machine takes microseconds for the answer */
	int newer = atomic_load_explicit(&known, memory_order_relaxed);

	if (newer == UNKNOWN) {
		newer = processor_ask() ? YES : NO;
		atomic_store_explicit(&known, newer, memory_order_relaxed);
	}
	return newer == YES;
}
#else
#define PROCESSOR_NEWER

static inline bool processor_is_newer(void)
{
	return false;
}
#endif
