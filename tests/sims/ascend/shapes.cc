// shapes.cc - tensors made, given, left and destroyed in all ways; `shapes -1 OPERATOR TENSORS` lines say what operators were
// given. The operators of libcust_opapi.so are looked up by name.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <pthread.h>
extern "C" {
#include "tests/sims/ascend/declare.h"
#include "tests/sims/ascend/train/operators.h"
}

using First = aclnnStatus (*)(const void *, uint64_t *, aclOpExecutor **);
using First2 = aclnnStatus (*)(const void *, const void *, uint64_t *, aclOpExecutor **);
using Second = aclnnStatus (*)(void *, uint64_t, aclOpExecutor *, aclrtStream);

static void *library;

template <class F>
static F find(const char *name)
{
	F f = (F)dlsym(library, name);

	if (!f) {
		std::printf("%s is not there\n", name);
		std::exit(1);
	}
	return f;
}

static First2 custom_first;
static Second custom;

static aclTensor *tensor(int64_t rows, int64_t columns = 1, int type = ACL_FLOAT, int format = ACL_FORMAT_ND)
{
	int64_t dims[] = { rows, columns };

	return aclCreateTensor(dims, 2, type, nullptr, 0, format, dims, 2, nullptr);
}

static void said(const char *name, const char *tensors)
{
	std::printf("shapes -1 %s%s%s\n", name, *tensors ? " " : "", tensors);
	std::fflush(stdout);
}

static void run_custom(const char *tensors)
{
	uint64_t size;
	aclOpExecutor *executor;

	custom_first(nullptr, nullptr, &size, &executor);
	said("aclnnCustom", tensors);
	custom(nullptr, 0, executor, nullptr);
}

static void types_and_formats()
{
	int64_t many[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	tensor(2, 3, ACL_BF16, ACL_FORMAT_NCHW);
	tensor(4, 5, ACL_BOOL, ACL_FORMAT_FRACTAL_NZ);
	tensor(6, 7, ACL_INT64, ACL_FORMAT_NDHWC);
	tensor(8, 9, 99, 77);
	tensor(0, -1, ACL_FLOAT8_E4M3FN, -1);
	aclCreateTensor(nullptr, 0, ACL_COMPLEX64, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr);
	aclCreateTensor(many, 8, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_NC1HWC0, many, 8, nullptr);
	run_custom("bf16[2,3]:NCHW;bool[4,5]:FRACTAL_NZ;int64[6,7]:NDHWC;other[8,9]:other;fp8[0,-1]:other;complex64[];fp16[1,2,3,4,5,6,7,8]:NC1HWC0");
}

static void left_and_destroyed()
{
	void *a = tensor(1), *b = tensor(2), *c = tensor(3);
	const aclTensor *in_list[] = { tensor(4), tensor(5) }, *unused[] = { tensor(6), tensor(7) };
	void *list = aclCreateTensorList(in_list, 2), *nobodys = aclCreateTensorList(unused, 2);

	aclDestroyTensor(b);
	aclDestroyTensorList(nobodys);
	run_custom("fp32[1,1];fp32[3,1];fp32[4,1];fp32[5,1]");
	aclDestroyTensorList(list);
	aclDestroyTensor(a);
	aclDestroyTensor(c);
	run_custom("");
	tensor(8);
	run_custom("fp32[8,1]");
}

// What is given to a call that fails may be anything.
static void failing()
{
	aclOpExecutor *executor = nullptr;
	uint64_t size;

	tensor(1);
	if (aclCreateTensor((const int64_t *)8, 99, 0, (const int64_t *)8, 0, 2, (const int64_t *)8, 99, nullptr))
		std::printf("made\n");
	tensor(2);
	run_custom("fp32[1,1];fp32[2,1]");
	tensor(3);
	std::printf("refused %d\n", find<First>("aclnnRefusesGetWorkspaceSize")(nullptr, &size, &executor));
	run_custom("");
	tensor(4);
	try {
		find<First>("aclnnThrowsGetWorkspaceSize")(nullptr, &size, &executor);
	} catch (const std::bad_alloc &) {
		std::printf("thrown\n");
	}
	tensor(5);
	run_custom("fp32[5,1]");
}

static void too_many()
{
	char text[64 * 16 + 16] = "", *at = text;

	for (int i = 0; i < 70; i++) {
		tensor(i + 1);
		if (i < 64)
			at += std::sprintf(at, "%sfp32[%d,1]", i ? ";" : "", i + 1);
	}
	std::strcpy(at, ";+6");
	run_custom(text);
	tensor(1);
	run_custom("fp32[1,1]");
}

static void *leave_tensors(void *)
{
	tensor(77);
	tensor(78);
	return nullptr;
}

static void *run_one(void *)
{
	tensor(9);
	run_custom("fp32[9,1]");
	return nullptr;
}

static void on_thread(void *(*run)(void *), void *with = nullptr)
{
	pthread_t thread;

	pthread_create(&thread, nullptr, run, with);
	pthread_join(thread, nullptr);
}

static void threads()
{
	for (int i = 0; i < 300; i++)
		on_thread(leave_tensors);
	on_thread(run_one);
}

static void *run_plan(void *executor)
{
	custom(nullptr, 0, executor, nullptr);
	return nullptr;
}

// Plans are run in another order than made, on another thread, from any place in memory.
static void plans()
{
	struct {
		uint64_t size;
		aclOpExecutor *executor;
	} *heap = (decltype(heap))std::calloc(3, sizeof(*heap));
	static uint64_t size;
	static aclOpExecutor *executor;
	aclOpExecutor *kept;

	for (int i = 0; i < 3; i++) {
		tensor(i + 10);
		custom_first(nullptr, nullptr, &heap[i].size, &heap[i].executor);
	}
	said("aclnnCustom", "fp32[12,1]");
	on_thread(run_plan, heap[2].executor);
	said("aclnnCustom", "fp32[10,1]");
	on_thread(run_plan, heap[0].executor);
	said("aclnnCustom", "fp32[11,1]");
	run_plan(heap[1].executor);
	tensor(13);
	custom_first(nullptr, nullptr, &size, &executor);
	said("aclnnCustom", "fp32[13,1]");
	run_plan(executor);
	std::free(heap);
	tensor(14);
	find<First>("aclnnKeptGetWorkspaceSize")(nullptr, &size, &kept);
	aclSetAclOpExecutorRepeatable(kept);
	for (int i = 0; i < 3; i++) {
		said("aclnnKept", "fp32[14,1]");
		find<Second>("aclnnKept")(nullptr, 0, kept, nullptr);
	}
}

#define TEN(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9
#define LONGS_10 long, long, long, long, long, long, long, long, long, long

static void many_arguments()
{
	using Long = aclnnStatus (*)(const void *, double, LONGS_10, float, LONGS_10, bool, LONGS_10, LONGS_10, LONGS_10, double, uint64_t *,
				     aclOpExecutor **);
	Long first = find<Long>("aclnnLongGetWorkspaceSize");
	aclOpExecutor *executor;
	uint64_t size;

	for (int i = 0; i < 2; i++) {
		tensor(15);
		first(nullptr, .25, TEN(1), 2, TEN(100), true, TEN(1000), TEN(10000), TEN(100000), .125, &size, &executor);
		said("aclnnLong", "fp32[15,1]");
		find<Second>("aclnnLong")(nullptr, 0, executor, nullptr);
	}
}

// Compilers evaluate arguments from the first to the last, or the other way round.
static void made_in_another_order()
{
	using Mixed = aclnnStatus (*)(const void *, double, const void *, LONGS_10, const void *, const void *, bool, const void *, uint64_t *,
				      aclOpExecutor **);
	Mixed first = find<Mixed>("aclnnMixedGetWorkspaceSize");
	aclOpExecutor *executor;
	uint64_t size;

	for (int i = 0; i < 2; i++) {
		void *out = tensor(30), *nobodys = tensor(31);
		const aclTensor *in_list[] = { tensor(32), tensor(33) }, *in_other[] = { tensor(34), tensor(35) };
		void *other = aclCreateTensorList(in_other, 2), *list = aclCreateTensorList(in_list, 2), *b = tensor(36), *a = tensor(37);

		first(a, .5, list, TEN(1), b, other, true, out, &size, &executor);
		aclDestroyTensor(nobodys);
		said("aclnnMixed", "fp32[37,1];fp32[32,1];fp32[33,1];fp32[36,1];fp32[34,1];fp32[35,1];fp32[30,1];fp32[31,1]");
		find<Second>("aclnnMixed")(nullptr, 0, executor, nullptr);
	}
}

static void composed()
{
	aclOpExecutor *executor;
	uint64_t size;

	for (int i = 0; i < 2; i++) {
		tensor(16);
		find<First>("aclnnComposedGetWorkspaceSize")(nullptr, &size, &executor);
		said("aclnnComposed", "fp32[16,1]");
		find<Second>("aclnnComposed")(nullptr, 0, executor, nullptr);
	}
	run_custom("");
}

// The cache of plans, by bytes: a miss, a hit, and a miss of another key.
static void cached()
{
	float data[4] = { 1, 2, 3, 4 };
	aclOpExecutor *executor;
	uint64_t size;

	for (int i = 0; i < 4; i++) {
		uint8_t key[] = { 1, 2, (uint8_t)(i == 2) };

		InitPTACacheThreadLocal();
		SetPTACacheHashKey(key, sizeof(key));
		executor = PTAFindExecCache(key, sizeof(key), &size);
		std::printf("from the cache %d\n", executor != nullptr);
		if (!executor) {
			int64_t dims[] = { 2, i + 1 };
			void *t = aclCreateTensor(dims, 2, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, dims, 2, data);
			void *u = aclCreateTensor(dims, 2, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, dims, 2, data);

			aclnnInplaceCopyGetWorkspaceSize(t, u, &size, &executor);
		}
		said("aclnnInplaceCopy", i == 2 ? "int32[2,3];int32[2,3]" : "int32[2,1];int32[2,1]");
		aclnnInplaceCopy(nullptr, size, executor, nullptr);
	}
}

int main(int, char **argv)
{
	library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	custom_first = find<First2>("aclnnCustomGetWorkspaceSize");
	custom = find<Second>("aclnnCustom");
	types_and_formats();
	left_and_destroyed();
	failing();
	too_many();
	threads();
	plans();
	many_arguments();
	made_in_another_order();
	composed();
	cached();
	return 0;
}
