// custom.cc - libcust_opapi.so: operators that nobody has heard of, as a vendor's customer writes them.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
extern "C" {
#include "tests/sims/ascend/declare.h"
#include "tests/sims/ascend/train/operators.h"

aclnnStatus aclnnCustomGetWorkspaceSize(const aclTensor *a, const aclTensor *out, uint64_t *size, aclOpExecutor **executor);
aclnnStatus aclnnCustom(void *, uint64_t, aclOpExecutor *executor, aclrtStream);
}

// A plan is what the operator likes, here the sum of its arguments.
static int plan(long sum, uint64_t *size, aclOpExecutor **executor)
{
	*size = 64;
	*executor = new long(sum);
	return 0;
}

static int run(aclOpExecutor *executor, bool keep)
{
	std::printf("ran %ld\n", *(long *)executor);
	if (!keep)
		delete (long *)executor;
	return 0;
}

#define SECOND(name)                                                                                            \
	extern "C" __attribute__((visibility("default"))) aclnnStatus name(void *, uint64_t, aclOpExecutor *e, aclrtStream); \
	aclnnStatus name(void *, uint64_t, aclOpExecutor *e, aclrtStream)                                       \
	{                                                                                                       \
		return run(e, false);                                                                           \
	}
#define FIRST extern "C" __attribute__((visibility("default"))) aclnnStatus

FIRST aclnnCustomGetWorkspaceSize(const aclTensor *, const aclTensor *, uint64_t *size, aclOpExecutor **executor)
{
	return plan(2, size, executor);
}
SECOND(aclnnCustom)

// Many arguments of all sorts, most of them on the stack.
#define TEN(x) x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7, x##8, x##9
#define TEN_LONGS(x) long x##0, long x##1, long x##2, long x##3, long x##4, long x##5, long x##6, long x##7, long x##8, long x##9
#define SUM(x) (x##0 + 2 * x##1 + 3 * x##2 + 4 * x##3 + 5 * x##4 + 6 * x##5 + 7 * x##6 + 8 * x##7 + 9 * x##8 + 10 * x##9)
FIRST aclnnLongGetWorkspaceSize(const aclTensor *, double d, TEN_LONGS(a), float f, TEN_LONGS(b), bool yes, TEN_LONGS(c), TEN_LONGS(e), TEN_LONGS(g),
				double last, uint64_t *size, aclOpExecutor **executor);
aclnnStatus aclnnLongGetWorkspaceSize(const aclTensor *, double d, TEN_LONGS(a), float f, TEN_LONGS(b), bool yes, TEN_LONGS(c), TEN_LONGS(e),
				      TEN_LONGS(g), double last, uint64_t *size, aclOpExecutor **executor)
{
	return plan((long)(d * 1e6) + (long)f + (long)(last * 1e3) + yes + SUM(a) + SUM(b) + SUM(c) + SUM(e) + SUM(g), size, executor);
}
SECOND(aclnnLong)

// Tensors and lists of them in registers and on the stack.
FIRST aclnnMixedGetWorkspaceSize(const aclTensor *, double, const aclTensorList *, TEN_LONGS(a), const aclTensor *, const aclTensorList *, bool,
				 const aclTensor *, uint64_t *size, aclOpExecutor **executor);
aclnnStatus aclnnMixedGetWorkspaceSize(const aclTensor *, double d, const aclTensorList *, TEN_LONGS(a), const aclTensor *, const aclTensorList *, bool yes,
				       const aclTensor *, uint64_t *size, aclOpExecutor **executor)
{
	return plan((long)d + yes + SUM(a), size, executor);
}
SECOND(aclnnMixed)

FIRST aclnnThrowsGetWorkspaceSize(const aclTensor *, uint64_t *, aclOpExecutor **);
aclnnStatus aclnnThrowsGetWorkspaceSize(const aclTensor *, uint64_t *, aclOpExecutor **)
{
	throw std::bad_alloc();
}
SECOND(aclnnThrows)

FIRST aclnnRefusesGetWorkspaceSize(const aclTensor *, uint64_t *, aclOpExecutor **executor);
aclnnStatus aclnnRefusesGetWorkspaceSize(const aclTensor *, uint64_t *, aclOpExecutor **executor)
{
	*executor = (aclOpExecutor *)0x1230;
	return 561002;
}
SECOND(aclnnRefuses)

// Made of another one: its tensors and phases are no calls of the program's.
FIRST aclnnComposedGetWorkspaceSize(const aclTensor *, uint64_t *size, aclOpExecutor **executor);
aclnnStatus aclnnComposedGetWorkspaceSize(const aclTensor *, uint64_t *size, aclOpExecutor **executor)
{
	int64_t dims[] = { 5, 5 };
	void *inner = aclCreateTensor(dims, 2, 0, nullptr, 0, 2, dims, 2, nullptr);
	uint64_t inner_size;
	aclOpExecutor *inner_executor;

	aclnnCustomGetWorkspaceSize(inner, inner, &inner_size, &inner_executor);
	aclnnCustom(nullptr, 0, inner_executor, nullptr);
	aclDestroyTensor(inner);
	return plan(3, size, executor);
}
FIRST aclnnComposed(void *, uint64_t, aclOpExecutor *executor, aclrtStream);
aclnnStatus aclnnComposed(void *, uint64_t, aclOpExecutor *executor, aclrtStream)
{
	int64_t dims[] = { 6, 6 };
	void *inner = aclCreateTensor(dims, 2, 0, nullptr, 0, 2, dims, 2, nullptr); // left behind

	return inner ? run(executor, false) : 1;
}

FIRST aclnnKeptGetWorkspaceSize(const aclTensor *, uint64_t *size, aclOpExecutor **executor);
aclnnStatus aclnnKeptGetWorkspaceSize(const aclTensor *, uint64_t *size, aclOpExecutor **executor)
{
	return plan(4, size, executor);
}
FIRST aclnnKept(void *, uint64_t, aclOpExecutor *executor, aclrtStream);
aclnnStatus aclnnKept(void *, uint64_t, aclOpExecutor *executor, aclrtStream)
{
	return run(executor, true);
}
