/*
 * npu_first_phases.c - operators whose names do not begin with aclnn, on two roads: npu_first_phases RFFT_LIBRARY ATB_LIBRARY;
 * with PLACES besides: that many times from different places of the stack, what is asked for lying far above; by a thread, too.
 * wide: with vectors of 256 bits, whose lanes it prints, all but the first time. ends: from stacks that end right above the call, or a little further, and lie below the first thread's.
 * As a library (-DLIBRARY) it has them: a first phase makes a plan of its number, the second says whose it was given.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int aclRfft1DGetWorkspaceSize(const void *in, int64_t n, double d, uint64_t *size, void **plan);
int aclRfft1D(void *workspace, uint64_t size, void *plan, void *stream);
int AtbMLAGetWorkspaceSize(const void *in, float f, long a, long b, long c, long d, uint64_t *size, void **plan, void *context);
int AtbMLA(void *workspace, uint64_t size, void *plan, void *context);

#if defined(__x86_64__)
#include <immintrin.h>
#define AVX __attribute__((target("avx")))
int aclWideGetWorkspaceSize(__m256d lanes, uint64_t *size, void **plan);
#endif

#ifdef LIBRARY
#define VISIBLE __attribute__((visibility("default")))

static int make(int64_t n, uint64_t *size, void **plan)
{
	if (n < 0)
		return 7;
	*size = 64;
	*plan = calloc(1, 64);
	*(int64_t *)*plan = n;
	return 0;
}

static int run(uint64_t size, void *plan, int64_t lowest)
{
	int bad = size != 64 || *(int64_t *)plan < lowest;

	printf("%ld\n", *(long *)plan);
	return bad; /* no plan is given back: each has an address of its own */
}

#ifdef RFFT
void *aclCreateTensor(const int64_t *dims, uint64_t count, int type, const int64_t *strides, int64_t offset, int format,
		      const int64_t *storage, uint64_t storage_count, void *data);
VISIBLE void *aclCreateTensor(const int64_t *dims, uint64_t count, int type, const int64_t *strides, int64_t offset, int format,
			      const int64_t *storage, uint64_t storage_count, void *data)
{
	(void)dims, (void)count, (void)type, (void)strides, (void)offset, (void)format, (void)storage, (void)storage_count;
	return data;
}

#if defined(__x86_64__)
VISIBLE AVX int aclWideGetWorkspaceSize(__m256d lanes, uint64_t *size, void **plan)
{
	static int calls;
	double each[4];

	_mm256_storeu_pd(each, lanes);
	if (calls++)
		printf("%g %g %g %g\n", each[0], each[1], each[2], each[3]);
	return make(calls, size, plan);
}
#endif

/* A tensor of its own, which is none of the program's. */
VISIBLE int aclRfft1DGetWorkspaceSize(const void *in, int64_t n, double d, uint64_t *size, void **plan)
{
	static int64_t own = 777;

	aclCreateTensor(&own, 1, 0, NULL, 0, 2, &own, 1, &own);
	return make(in ? n + (int64_t)(10 * d) : -1, size, plan);
}

VISIBLE int aclRfft1D(void *workspace, uint64_t size, void *plan, void *stream)
{
	return workspace || stream || run(size, plan, 5);
}
#else
VISIBLE int AtbMLAGetWorkspaceSize(const void *in, float f, long a, long b, long c, long d, uint64_t *size, void **plan, void *context)
{
	return make(in && context ? a + b + c + d + (long)(10 * f) : -1, size, plan);
}

VISIBLE int AtbMLA(void *workspace, uint64_t size, void *plan, void *context)
{
	return workspace || !context || run(size, plan, 105);
}
#endif

#else

static void *find(const char *library, const char *name)
{
	void *found = dlsym(dlopen(library, RTLD_NOW | RTLD_LOCAL), name);

	if (!found)
		exit(2);
	return found;
}

static int rfft(__typeof__(aclRfft1DGetWorkspaceSize) *first, __typeof__(aclRfft1D) *second, int64_t n)
{
	uint64_t size = 0;
	void *plan = NULL;

	return first("", n, .5, &size, &plan) || second(NULL, size, plan, NULL);
}

static int mla(__typeof__(AtbMLAGetWorkspaceSize) *first, __typeof__(AtbMLA) *second, long n)
{
	uint64_t size = 0;
	void *plan = NULL;
	static int context;

	return first("", .5f, n, 20, 30, 50, &size, &plan, &context) || second(NULL, size, plan, &context);
}

struct far {
	uint64_t size;
	void *plan;
	char between[9000];
};

/* 80 bytes a call further down: a page and more in 256 calls. */
static __attribute__((noinline)) int from_place(struct far *far, int depth)
{
	static int context;
	int bad = AtbMLAGetWorkspaceSize("", .5f, depth, 20, 30, 50, &far->size, &far->plan, &context) ||
		  AtbMLA(NULL, far->size, far->plan, &context);

	return depth ? from_place(far, depth - 1) | bad : bad;
}

static void *from_places(void *count)
{
	struct far far;

	return (void *)(intptr_t)from_place(&far, *(int *)count - 1);
}

static int places(int count)
{
	pthread_t thread;
	void *bad = &thread;

	if (from_places(&count) || pthread_create(&thread, NULL, from_places, &count))
		return 1;
	pthread_join(thread, &bad);
	return bad != NULL;
}

#if defined(__x86_64__)
/* first(in, n, .5, size, plan), called with the stack pointer at `top`. */
__attribute__((naked, noinline)) static int on_stack(__typeof__(aclRfft1DGetWorkspaceSize) *first, const void *in, int64_t n, uint64_t *size, void **plan, void *top)
{
	__asm__("pushq %rbp\n\t"
		"movq %rsp, %rbp\n\t"
		"movq %r9, %rsp\n\t"
		"movq %rdi, %rax\n\t"
		"movq %rsi, %rdi\n\t"
		"movq %rdx, %rsi\n\t"
		"movq %rcx, %rdx\n\t"
		"movq %r8, %rcx\n\t"
		"xorps %xmm0, %xmm0\n\t"
		"call *%rax\n\t"
		"movq %rbp, %rsp\n\t"
		"popq %rbp\n\t"
		"ret");
}

#define STACK (256u << 10)
#define PAGE  4096u

static char *end_of_stack(char *wanted)
{
	char *memory = mmap(wanted, STACK + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || munmap(memory + STACK, PAGE))
		exit(3);
	return memory + STACK;
}

static int ends(void)
{
	char *below = (char *)((uintptr_t)&below / PAGE * PAGE - (64ul << 20));
	char *tops[] = { end_of_stack(NULL), end_of_stack(below) };
	static uint64_t size;
	static void *plan;
	int bad = 0;

	for (int i = 0; i < 6; i++) {
		bad |= on_stack(aclRfft1DGetWorkspaceSize, "", 5 + i, &size, &plan, tops[i / 3] - (i % 3) * (i % 3) * 128);
		bad |= aclRfft1D(NULL, size, plan, NULL);
	}
	return bad;
}
#else
static int ends(void)
{
	return 0;
}
#endif

#if defined(__x86_64__)
AVX static int wide(__typeof__(aclWideGetWorkspaceSize) *first)
{
	uint64_t size;
	void *plan;
	int bad = 0;

	for (int i = 0; i < 3; i++)
		bad |= first(_mm256_setr_pd(1, 2, 3, 4), &size, &plan);
	return bad;
}
#endif

static int wide_if_any(const char *library)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx"))
		return wide(find(library, "aclWideGetWorkspaceSize"));
#endif
	(void)library;
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t size;
	void *plan;
	int bad = argc < 3;

	if (argc > 3 && !strcmp(argv[3], "wide"))
		return wide_if_any(argv[1]);
	if (argc > 3)
		return strcmp(argv[3], "ends") ? places(atoi(argv[3])) : ends();

	for (int i = 0; i < 5 && !bad; i++) {
		bad |= rfft(aclRfft1DGetWorkspaceSize, aclRfft1D, i);
		bad |= rfft(find(argv[1], "aclRfft1DGetWorkspaceSize"), find(argv[1], "aclRfft1D"), i);
		bad |= mla(AtbMLAGetWorkspaceSize, AtbMLA, i);
		bad |= mla(find(argv[2], "AtbMLAGetWorkspaceSize"), find(argv[2], "AtbMLA"), i);
	}
	return bad || aclRfft1DGetWorkspaceSize(NULL, 0, 0, &size, &plan) != 7;
}
#endif
