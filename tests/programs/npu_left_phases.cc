/*
 * npu_left_phases.cc - operators of one tensor, whose phases are not always left by a return, and are not always alone: [n, 1] is what the
 * n-th is given. As a library (-DLIBRARY) it has them: what rt_inside is set to runs inside the next phase; what that throws aclnnAbs
 * catches, and makes a tensor of its own, [777, 1].
 */
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {
extern void (*rt_inside)();
void *aclCreateTensor(const int64_t *dims, uint64_t count, int type, const int64_t *strides, int64_t offset, int format, const int64_t *storage,
		      uint64_t storage_count, void *data);
int aclnnAbsGetWorkspaceSize(const void *in, uint64_t *size, void **plan);
int aclnnAbs(void *workspace, uint64_t size, void *plan, void *stream);
int aclnnExpGetWorkspaceSize(const void *in, uint64_t *size, void **plan);
int aclnnExp(void *workspace, uint64_t size, void *plan, void *stream);
}

static void *tensor(int64_t n)
{
	int64_t dims[] = { n, 1 };

	return aclCreateTensor(dims, 2, 0, dims, 0, 2, dims, 2, nullptr);
}

#ifdef LIBRARY
void (*rt_inside)();

static void run_inside()
{
	void (*inside)() = rt_inside;

	rt_inside = nullptr;
	if (inside)
		inside();
}

static int first(const void *in, uint64_t *size, void **plan)
{
	*size = 64;
	*plan = calloc(1, 64);
	return !in;
}

static int second(uint64_t size, const void *plan)
{
	return size != 64 || !plan;
}

static void run_and_catch()
{
	try {
		run_inside();
	} catch (int) {
	}
	tensor(777);
}

void *aclCreateTensor(const int64_t *dims, uint64_t count, int type, const int64_t *strides, int64_t offset, int format,
			      const int64_t *storage, uint64_t storage_count, void *data)
{
	(void)dims, (void)count, (void)type, (void)strides, (void)offset, (void)format, (void)storage, (void)storage_count, (void)data;
	return calloc(1, 64);
}

int aclnnAbsGetWorkspaceSize(const void *in, uint64_t *size, void **plan)
{
	run_and_catch();
	return first(in, size, plan);
}

int aclnnAbs(void *workspace, uint64_t size, void *plan, void *stream)
{
	run_and_catch();
	return workspace || stream || second(size, plan);
}

int aclnnExpGetWorkspaceSize(const void *in, uint64_t *size, void **plan)
{
	run_inside();
	return first(in, size, plan);
}

int aclnnExp(void *workspace, uint64_t size, void *plan, void *stream)
{
	return workspace || stream || second(size, plan);
}

#else

static jmp_buf behind;

static void leave()
{
	longjmp(behind, 1);
}

static int exponent(int64_t n)
{
	void *in = tensor(n), *plan;
	uint64_t size;

	return aclnnExpGetWorkspaceSize(in, &size, &plan) || aclnnExp(nullptr, size, plan, nullptr);
}

/* As an operator that is made of others: with a tensor of its own, which is none of the program's. */
static void another()
{
	if (exponent(900))
		exit(2);
}

static void raise()
{
	throw 1;
}

/* Its first phase is left by an exception, through ours. */
static void another_that_throws()
{
	void *in = tensor(901), *plan;
	uint64_t size;

	rt_inside = raise;
	aclnnExpGetWorkspaceSize(in, &size, &plan);
}

static int absolute(int64_t n, void (*in_first)(), void (*in_second)())
{
	void *in = tensor(n), *plan;
	uint64_t size;
	int bad;

	rt_inside = in_first;
	bad = aclnnAbsGetWorkspaceSize(in, &size, &plan);
	rt_inside = in_second;
	return bad || aclnnAbs(nullptr, size, plan, nullptr);
}

int main()
{
	void *in = tensor(1), *plan;
	uint64_t size;
	int bad = 0;

	rt_inside = leave;
	if (!setjmp(behind))
		bad |= 1 + aclnnAbsGetWorkspaceSize(in, &size, &plan);
	bad |= absolute(2, nullptr, nullptr);
	bad |= absolute(3, another, nullptr) | exponent(4);
	bad |= absolute(5, nullptr, another) | exponent(6);
	bad |= absolute(7, another_that_throws, nullptr) | exponent(8);
	bad |= absolute(9, nullptr, another_that_throws) | exponent(10);
	return bad;
}
#endif
