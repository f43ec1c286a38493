/*
 * npu_odd_arguments.c - operators whose first phases are not like most: a plan that two arguments are given, one that is not the last argument,
 * any number of arguments, one that is aligned. As a library (-DLIBRARY) it has them, and looks at each argument. The program says which came
 * out right, each called four times.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MANY 60
struct numbers {
	int64_t n[MANY];
};
#if defined(__x86_64__)
#define ALIGNED 64
#else
#define ALIGNED 16 /* AAPCS64 hands on where the caller has what is as large, and its stack is aligned no further */
#endif
struct aligned {
	int64_t n[8];
} __attribute__((aligned(ALIGNED)));

#define SECOND(name) int name(void *workspace, uint64_t size, void *plan, void *stream)
int aclnnAbsGetWorkspaceSize(uint64_t *kept_size, void **kept_plan, struct numbers numbers, uint64_t *size, void **plan);
int aclnnExpGetWorkspaceSize(uint64_t *size, void **plan, struct numbers numbers);
int aclnnSinGetWorkspaceSize(int count, ...);
int aclnnCosGetWorkspaceSize(struct aligned numbers, uint64_t *size, void **plan);
SECOND(aclnnAbs);
SECOND(aclnnExp);
SECOND(aclnnSin);
SECOND(aclnnCos);

#ifdef LIBRARY
static int make(int bad, uint64_t *size, void **plan)
{
	if (bad)
		return 1;
	*size = 64;
	*plan = calloc(1, 64);
	return 0;
}

static int looked_at(const int64_t *n, int count)
{
	int bad = 0;

	for (int i = 0; i < count; i++)
		bad |= n[i] != 1000 + i;
	return bad;
}

int aclnnAbsGetWorkspaceSize(uint64_t *kept_size, void **kept_plan, struct numbers numbers, uint64_t *size, void **plan)
{
	int bad = looked_at(numbers.n, MANY) || make(0, kept_size, kept_plan);

	if (bad)
		return bad;
	*size = *kept_size;
	*plan = *kept_plan;
	return 0;
}

int aclnnExpGetWorkspaceSize(uint64_t *size, void **plan, struct numbers numbers)
{
	return make(looked_at(numbers.n, MANY), size, plan);
}

int aclnnSinGetWorkspaceSize(int count, ...)
{
	uint64_t *size;
	void **plan;
	va_list given;
	int bad = 0;

	va_start(given, count);
	for (int i = 0; i < count; i++)
		bad |= va_arg(given, int64_t) != 1000 + i;
	if (bad)
		return 1;
	size = va_arg(given, uint64_t *);
	plan = va_arg(given, void **);
	va_end(given);
	return make(0, size, plan);
}

int aclnnCosGetWorkspaceSize(struct aligned numbers, uint64_t *size, void **plan)
{
	const struct aligned *at = &numbers;

	__asm__(""
		: "+r"(at)); /* the compiler would not look */
	return make((uintptr_t)at % ALIGNED || looked_at(at->n, 8), size, plan);
}

#define RUN(name)                                                  \
	SECOND(name)                                               \
	{                                                          \
		return workspace || stream || size != 64 || !plan; \
	}
RUN(aclnnAbs)
RUN(aclnnExp)
RUN(aclnnSin)
RUN(aclnnCos)
#else
static struct numbers numbers;
static uint64_t size, kept_size;
static void *plan, *kept_plan;

static int many(int i)
{
	if (i < 2)
		return aclnnSinGetWorkspaceSize(1, (int64_t)1000, &size, &plan);
#define TEN(n) (int64_t) n, (int64_t)(n + 1), (int64_t)(n + 2), (int64_t)(n + 3), (int64_t)(n + 4), (int64_t)(n + 5), (int64_t)(n + 6), \
	       (int64_t)(n + 7), (int64_t)(n + 8), (int64_t)(n + 9)
	return aclnnSinGetWorkspaceSize(60, TEN(1000), TEN(1010), TEN(1020), TEN(1030), TEN(1040), TEN(1050), &size, &plan);
}

int main(void)
{
	struct aligned few;
	int right[4] = { 0 };

	for (int i = 0; i < MANY; i++)
		numbers.n[i] = 1000 + i;
	for (int i = 0; i < 8; i++)
		few.n[i] = 1000 + i;
	for (int i = 0; i < 4; i++) {
		right[0] += !aclnnAbsGetWorkspaceSize(&kept_size, &kept_plan, numbers, &size, &plan) && !aclnnAbs(NULL, size, plan, NULL);
		right[1] += !aclnnExpGetWorkspaceSize(&size, &plan, numbers) && !aclnnExp(NULL, size, plan, NULL);
		right[2] += !many(i) && !aclnnSin(NULL, size, plan, NULL);
		right[3] += !aclnnCosGetWorkspaceSize(few, &size, &plan) && !aclnnCos(NULL, size, plan, NULL);
	}
	printf("two plans %d, plan first %d, any number %d, aligned %d\n", right[0], right[1], right[2], right[3]);
	return 0;
}
#endif
