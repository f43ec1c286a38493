/*
 * symbol_wide.c - step functions that ask more of a probe: vectors in their whole width, a kilobyte of stack, a
 * stack that ends right behind the call, a library that goes and comes back. LIBRARY: libwide.so; otherwise the
 * program, which calls the one named by its argument six times, with n launches behind call n.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#if defined(__x86_64__)
#define ALIGNED 64
#else
#define ALIGNED 16 /* AAPCS64 hands on where the caller has what is as large, and its stack is aligned no further */
#endif
struct big {
	unsigned char bytes[900];
} __attribute__((aligned(ALIGNED)));
typedef double four __attribute__((vector_size(32)));
typedef double eight __attribute__((vector_size(64)));

#ifdef LIBRARY
#ifdef __x86_64__
__attribute__((target("avx"))) four wide_256(four a, four b, int n)
{
	return a * 3 + b * n;
}

__attribute__((target("avx512f"))) eight wide_512(eight a, eight b, int n)
{
	return a * 3 + b * n;
}
#endif

long much_on_the_stack(struct big b, int n)
{
	const struct big *at = &b;
	long sum = n;

	__asm__(""
		: "+r"(at)); /* the compiler would not look */
	sum += (long)((uintptr_t)at % ALIGNED);
	for (size_t i = 0; i < sizeof(b.bytes); i++)
		sum = sum * 31 + b.bytes[i];
	return sum;
}

int plain_step(int n)
{
	return n * 7;
}
#else
int clEnqueueNDRangeKernel(void *, void *, unsigned, const size_t *, const size_t *, const size_t *, unsigned,
			   const void *, void **);
#ifdef __x86_64__
__attribute__((target("avx"))) four wide_256(four a, four b, int n);
__attribute__((target("avx512f"))) eight wide_512(eight a, eight b, int n);

__attribute__((target("avx"), noinline)) static void call_256(int n)
{
	four r = wide_256((four){ 1, 2, 3, 4 }, (four){ n, 5, 6, 7 }, n);

	printf("%g %g %g %g\n", r[0], r[1], r[2], r[3]);
}

__attribute__((target("avx512f"), noinline)) static void call_512(int n)
{
	eight r = wide_512((eight){ 1, 2, 3, 4, 5, 6, 7, 8 }, (eight){ n, 9, 8, 7, 6, 5, 4, 3 }, n);

	for (int i = 0; i < 8; i++)
		printf("%g ", r[i]);
	printf("\n");
}
#endif
long much_on_the_stack(struct big b, int n);
int plain_step(int n);

static int step;
static ucontext_t here, there;

static void at_the_end(void)
{
	printf("%d\n", plain_step(step));
}

/* Nothing is mapped behind this stack. */
static void call_at_the_end_of_a_stack(int n)
{
	static char *stack;

	if (!stack) {
		stack = mmap(NULL, 65536 + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		mprotect(stack + 65536, 4096, PROT_NONE);
	}
	step = n;
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = 65536;
	there.uc_link = &here;
	makecontext(&there, at_the_end, 0);
	swapcontext(&here, &there);
}

static void call_with_much(int n)
{
	struct big b;

	for (size_t i = 0; i < sizeof(b.bytes); i++)
		b.bytes[i] = (unsigned char)(i * n);
	printf("%ld\n", much_on_the_stack(b, n));
}

/* A library of its own, opened for one call; something else may lie in its place the next time. */
static void call_and_unload(int n)
{
	void *h = dlopen("./libunloaded.so", RTLD_NOW);
	int (*f)(int) = (int (*)(int))dlsym(h, "plain_step");
	uintptr_t place = (uintptr_t)dlsym(h, "much_on_the_stack") & ~4095ul;

	printf("%d\n", f(n));
	dlclose(h);
	mmap((void *)place, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	void (*call)(int) = !strcmp(what, "stack") ? call_with_much : !strcmp(what, "end") ? call_at_the_end_of_a_stack
											   : call_and_unload;

#ifdef __x86_64__
	if ((!strcmp(what, "256") && !__builtin_cpu_supports("avx")) ||
	    (!strcmp(what, "512") && !__builtin_cpu_supports("avx512f")))
		return 77;
	call = !strcmp(what, "256") ? call_256 : !strcmp(what, "512") ? call_512
								      : call;
#endif
	for (int n = 1; n <= 6; n++) {
		call(n);
		for (int i = 0; i < n; i++)
			clEnqueueNDRangeKernel(NULL, NULL, 0, NULL, NULL, NULL, 0, NULL, NULL);
	}
	return 0;
}
#endif
