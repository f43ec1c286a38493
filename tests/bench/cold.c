/*
 * cold CALLS - one call per about 2 us of dependent loads all over 512 KiB: little of what the call needs is left in
 * the nearest cache. Each call is timed on its own, with its neighbours fenced off.
 * Prints p50, p99, p999 in ns, the loads between two calls, and calls.
 */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>

#define LINKS (1u << 16)
#define GAP   2000 /* ns */

static uint64_t *links;

static inline uint64_t ticks(void)
{
#if defined(__x86_64__)
	uint64_t t;

	__builtin_ia32_lfence();
	t = __builtin_ia32_rdtsc();
	__builtin_ia32_lfence();
	return t;
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ volatile("isb; mrs %0, cntvct_el0; isb"
			 : "=r"(t)
			 :
			 : "memory");
	return t;
#else
	return bench_ns(CLOCK_MONOTONIC);
#endif
}

static double ticks_per_ns(void)
{
	uint64_t t = ticks(), ns = bench_ns(CLOCK_MONOTONIC), now;

	do
		now = bench_ns(CLOCK_MONOTONIC);
	while (now - ns < 50000000);
	return (double)(ticks() - t) / (double)(now - ns);
}

/* One random circle through all links, so that each load waits for the one before. */
static void make_links(void)
{
	uint64_t x = 88172645463325252ull;

	links = malloc(LINKS * sizeof(*links));
	for (uint64_t i = 0; i < LINKS; i++)
		links[i] = i;
	for (uint64_t i = LINKS - 1; i > 0; i--) {
		uint64_t j, t;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		j = x % i;
		t = links[i];
		links[i] = links[j];
		links[j] = t;
	}
}

static uint64_t follow(uint64_t at, unsigned int hops)
{
	while (hops--)
		at = links[at];
	return at;
}

static unsigned int hops_in_gap(void)
{
	static __attribute__((used)) volatile uint64_t sink;
	uint64_t t = bench_ns(CLOCK_MONOTONIC);

	sink = follow(1, 200000);
	t = bench_ns(CLOCK_MONOTONIC) - t;
	return (unsigned int)(200000ull * GAP / t) + 1;
}

/*
 * The processor's clock may tick in steps as long as a call. A run of equal values is taken as spread evenly over its
 * step, so that a median moves when its neighbours' shares do.
 */
static double quantile(const double *v, size_t n, double q)
{
	size_t at = (size_t)((double)n * q), low = at, high = at;
	double left, right;

	while (low > 0 && v[low - 1] == v[at])
		low--;
	while (high + 1 < n && v[high + 1] == v[at])
		high++;
	left = low > 0 ? (v[low - 1] + v[at]) / 2 : v[at];
	right = high + 1 < n ? (v[high + 1] + v[at]) / 2 : v[at];
	return left + (right - left) * ((double)(at - low) + 0.5) / (double)(high - low + 1);
}

int main(int argc, char **argv)
{
	size_t calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 60000;
	double *ns = calloc(calls, sizeof(*ns)), rate = ticks_per_ns();
	unsigned int hops;
	uint64_t at = 0;

	make_links();
	hops = hops_in_gap();
	bench_start();
	for (size_t i = 0; i < calls; i++) {
		uint64_t begin;

		at = follow(at, hops);
		begin = ticks() + (at >> 60); /* at is small: nothing is added, but the loads are over */
		bench_launch((unsigned int)i);
		ns[i] = (double)(ticks() - begin) / rate;
	}
	bench_sort(ns, calls);
	printf("p50=%.1f p99=%.1f p999=%.1f hops=%u calls=%zu\n", quantile(ns, calls, 0.5), quantile(ns, calls, 0.99),
	       quantile(ns, calls, 0.999), hops, calls);
	return 0;
}
