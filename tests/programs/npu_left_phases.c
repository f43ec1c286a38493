/*
 * npu_left_phases.c - operators of one tensor, whose first phases are not always left by a return, and are not always alone: [n, 1] is what the
 * n-th is given. As a library (-DLIBRARY) it has them: what rt_inside is set to runs inside the next phase.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

extern void (*rt_inside)(void);
void *aclCreateTensor(const int64_t *dims, uint64_t count, int type, const int64_t *strides, int64_t offset, int format, const int64_t *storage,
		      uint64_t storage_count, void *data);
int aclnnAbsGetWorkspaceSize(const void *in, uint64_t *size, void **plan);
int aclnnAbs(void *workspace, uint64_t size, void *plan, void *stream);
int aclnnExpGetWorkspaceSize(const void *in, uint64_t *size, void **plan);
int aclnnExp(void *workspace, uint64_t size, void *plan, void *stream);

#ifdef LIBRARY
#define VISIBLE __attribute__((visibility("default")))

VISIBLE void (*rt_inside)(void);

static void run_inside(void)
{
	void (*inside)(void) = rt_inside;

	rt_inside = NULL;
	if (inside)
		inside();
}

static int first(const void *in, uint64_t *size, void **plan)
{
	run_inside();
	*size = 64;
	*plan = calloc(1, 64);
	return !in;
}

static int second(uint64_t size, const void *plan)
{
	run_inside();
	return size != 64 || !plan;
}

VISIBLE void *aclCreateTensor(const int64_t *dims, uint64_t count, int type, const int64_t *strides, int64_t offset, int format,
			      const int64_t *storage, uint64_t storage_count, void *data)
{
	(void)dims, (void)count, (void)type, (void)strides, (void)offset, (void)format, (void)storage, (void)storage_count, (void)data;
	return calloc(1, 64);
}

VISIBLE int aclnnAbsGetWorkspaceSize(const void *in, uint64_t *size, void **plan)
{
	return first(in, size, plan);
}

VISIBLE int aclnnAbs(void *workspace, uint64_t size, void *plan, void *stream)
{
	return workspace || stream || second(size, plan);
}

VISIBLE int aclnnExpGetWorkspaceSize(const void *in, uint64_t *size, void **plan)
{
	return first(in, size, plan);
}

VISIBLE int aclnnExp(void *workspace, uint64_t size, void *plan, void *stream)
{
	return workspace || stream || second(size, plan);
}

#else

static jmp_buf behind;

static void leave(void)
{
	longjmp(behind, 1);
}

static void *tensor(int64_t n)
{
	int64_t dims[] = { n, 1 };

	return aclCreateTensor(dims, 2, 0, dims, 0, 2, dims, 2, NULL);
}

static int exponent(int64_t n)
{
	void *in = tensor(n), *plan;
	uint64_t size;

	return aclnnExpGetWorkspaceSize(in, &size, &plan) || aclnnExp(NULL, size, plan, NULL);
}

/* As an operator that is made of others: with a tensor of its own, which is none of the program's. */
static void another(void)
{
	if (exponent(900))
		exit(2);
}

static int absolute(int64_t n, void (*in_first)(void), void (*in_second)(void))
{
	void *in = tensor(n), *plan;
	uint64_t size;
	int bad;

	rt_inside = in_first;
	bad = aclnnAbsGetWorkspaceSize(in, &size, &plan);
	rt_inside = in_second;
	return bad || aclnnAbs(NULL, size, plan, NULL);
}

int main(void)
{
	void *in = tensor(1), *plan;
	uint64_t size;
	int bad = 0;

	rt_inside = leave;
	if (!setjmp(behind))
		bad |= 1 + aclnnAbsGetWorkspaceSize(in, &size, &plan);
	bad |= absolute(2, NULL, NULL);
	bad |= absolute(3, another, NULL) | exponent(4);
	bad |= absolute(5, NULL, another) | exponent(6);
	return bad;
}
#endif
