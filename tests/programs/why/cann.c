/* cann.c - device.h on the simulated CANN, which is told how long its work takes (tests/sims/lib/knobs.c), under SIM_ASYNC=1. */
#include "tests/programs/why/device.h"
#include "tests/sims/ascend/declare.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define HOST_TO_DEVICE 1
#define ALLOCATION_NS  50000
#define COPY_KB_NS     100  /* as SIM_COPY_KB_NS has it */
#define ROOT	       4108 /* bytes of HcclRootInfo */

aclnnStatus aclnnMatmulGetWorkspaceSize(void *a, void *b, void *out, int8_t way, uint64_t *size, aclOpExecutor **executor);
aclnnStatus aclnnAddGetWorkspaceSize(void *a, void *b, void *alpha, void *out, uint64_t *size, aclOpExecutor **executor);
aclnnStatus aclnnReluGetWorkspaceSize(void *a, void *out, uint64_t *size, aclOpExecutor **executor);
aclnnStatus aclnnMatmul(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream);
aclnnStatus aclnnAdd(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream);
aclnnStatus aclnnRelu(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream);

static void (*work_takes)(uint64_t ns), (*calls_take)(const char *symbol, uint64_t ns);
static aclrtStream stream;
static HcclComm world;
static aclrtFuncHandle norm, adam, lazy[64];
static void *batch, *workspace, *gradients, *host;
static int made, called;

static void *knob(const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	device_must(!found, name);
	return found;
}

/* ---- kernels ---- */

static void launch(aclrtFuncHandle function, uint64_t ns)
{
	char args[64] = "";

	work_takes(ns);
	OK(aclrtLaunchKernel(function, 8, args, sizeof(args), stream));
}

static void *tensor(int64_t rows, int64_t columns)
{
	int64_t dims[] = { rows, columns }, strides[] = { columns, 1 };

	return aclCreateTensor(dims, 2, SIM_FLOAT, strides, 0, 2, dims, 2, batch);
}

static void multiply(uint64_t ns, int64_t rows)
{
	void *a = tensor(rows, 512), *b = tensor(512, 256), *out = tensor(rows, 256);
	aclOpExecutor *executor = NULL;
	uint64_t size = 0;

	OK(aclnnMatmulGetWorkspaceSize(a, b, out, 0, &size, &executor));
	work_takes(ns);
	OK(aclnnMatmul(workspace, size, executor, stream));
	aclDestroyTensor(a);
	aclDestroyTensor(b);
	aclDestroyTensor(out);
}

static void relu(uint64_t ns)
{
	void *a = tensor(1024, 256), *out = tensor(1024, 256);
	aclOpExecutor *executor = NULL;
	uint64_t size = 0;

	OK(aclnnReluGetWorkspaceSize(a, out, &size, &executor));
	work_takes(ns);
	OK(aclnnRelu(workspace, size, executor, stream));
	aclDestroyTensor(a);
	aclDestroyTensor(out);
}

static void add(uint64_t ns)
{
	void *a = tensor(1024, 256), *b = tensor(1024, 256), *out = tensor(1024, 256);
	float one = 1;
	void *alpha = aclCreateScalar(&one, SIM_FLOAT);
	aclOpExecutor *executor = NULL;
	uint64_t size = 0;

	OK(aclnnAddGetWorkspaceSize(a, b, alpha, out, &size, &executor));
	work_takes(ns);
	OK(aclnnAdd(workspace, size, executor, stream));
	aclDestroyScalar(alpha);
	aclDestroyTensor(a);
	aclDestroyTensor(b);
	aclDestroyTensor(out);
}

void device_kernel(enum kernel kernel, uint64_t ns, bool longer)
{
	switch (kernel) {
	case MATMUL: multiply(ns, longer ? 1536 : 1024); break;
	case NORM: launch(norm, ns); break;
	case RELU: relu(ns); break;
	case ADD: add(ns); break;
	default: launch(adam, ns);
	}
}

static aclrtFuncHandle load(const char *name)
{
	aclrtBinHandle binary;
	aclrtFuncHandle function;

	OK(aclrtBinaryLoadFromData(name, strlen(name), NULL, &binary));
	OK(aclrtBinaryGetFunction(binary, name, &function));
	return function;
}

void device_build(uint64_t ns)
{
	char name[32];

	snprintf(name, sizeof(name), "fused_new_%d", made++);
	calls_take("aclrtBinaryLoadFromData", ns);
	launch(load(name), 1000);
	calls_take("aclrtBinaryLoadFromData", 0);
}

void device_first(uint64_t ns)
{
	calls_take("aclrtLaunchKernel", ns);
	launch(lazy[called++], 1000);
	calls_take("aclrtLaunchKernel", 0);
}

/* ---- all else ---- */

static void copy(size_t bytes)
{
	OK(aclrtMemcpyAsync(batch, bytes, host, bytes, HOST_TO_DEVICE, stream));
}

void device_copy(void)
{
	copy(8 << 20);
}

uint64_t device_copy_more(uint64_t ns)
{
	copy((size_t)(ns / COPY_KB_NS) << 10);
	return ns;
}

void device_all_reduce(uint64_t ns)
{
	work_takes(ns);
	OK(HcclAllReduce(gradients, gradients, 1 << 20, SIM_HCCL_DATA_TYPE_FP32, SIM_HCCL_REDUCE_SUM, world, stream));
}

void device_allocate(void)
{
	void *memory;

	OK(aclrtMalloc(&memory, 1 << 16, 0));
	OK(aclrtFree(memory));
}

void device_wait(void)
{
	OK(aclrtSynchronizeStream(stream));
}

void device_start(uint32_t rank, uint32_t ranks, const char *job)
{
	static char root[ROOT];
	char name[32];

	work_takes = (void (*)(uint64_t))knob("sim_work_takes");
	calls_take = (void (*)(const char *, uint64_t))knob("sim_calls_take");
	device_must(!getenv("SIM_ASYNC"), "SIM_ASYNC");
	snprintf(root, sizeof(root), "%s", job);
	OK(aclInit(NULL));
	OK(aclrtSetDevice(0));
	OK(aclrtCreateStream(&stream));
	OK(aclrtMalloc(&batch, 1 << 20, 0));
	OK(aclrtMalloc(&workspace, 1 << 16, 0));
	OK(aclrtMalloc(&gradients, 4 << 20, 0));
	OK(aclrtMallocHost(&host, 1 << 20));
	norm = load("fused_norm");
	adam = load("adam_step");
	for (size_t i = 0; i < sizeof(lazy) / sizeof(*lazy); i++) {
		snprintf(name, sizeof(name), "fused_lazy_%zu", i);
		lazy[i] = load(name);
	}
	OK(HcclCommInitRootInfo(ranks, (HcclRootInfo *)root, rank, &world));
	calls_take("aclrtMalloc", ALLOCATION_NS);
}

void device_end(void)
{
	calls_take("aclrtMalloc", 0);
	OK(HcclCommDestroy(world));
	OK(aclrtFree(batch));
	OK(aclrtFree(workspace));
	OK(aclrtFree(gradients));
	OK(aclrtFreeHost(host));
	OK(aclrtDestroyStream(stream));
	OK(aclFinalize());
}
