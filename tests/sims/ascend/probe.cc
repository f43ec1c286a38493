/* probe.cc - the simulated libraries asked one by one; prints what they answer. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
extern "C" {
#include "tests/sims/ascend/declare.h"
#include "tests/sims/ascend/train/operators.h"
}

static void say(const char *what, long value)
{
	std::printf("%s %ld\n", what, value);
}

static void events()
{
	aclrtStream stream, other;
	aclrtEvent first, second, plain;
	int32_t status = 7;
	float ms = 0;
	char memory[256], host[256] = "text";

	aclrtCreateStreamWithConfig(&stream, 0, 3);
	aclrtCreateStream(&other);
	aclrtCreateEventWithFlag(&first, SIM_EVENT_TIME_LINE);
	aclrtCreateEventWithFlag(&second, SIM_EVENT_TIME_LINE);
	aclrtCreateEventWithFlag(&plain, SIM_EVENT_SYNC);
	say("elapsed before", aclrtEventElapsedTime(&ms, first, second));
	aclrtRecordEvent(first, stream);
	for (int i = 0; i < 3; i++)
		aclrtMemcpyAsync(memory, sizeof(memory), host, 100, ACL_MEMCPY_HOST_TO_DEVICE, stream);
	aclrtRecordEvent(second, stream);
	for (int i = 0; i < 3; i++) {
		aclrtQueryEventStatus(second, &status);
		say("complete", status);
	}
	say("elapsed", aclrtEventElapsedTime(&ms, first, second));
	std::printf("ms %.6f\n", (double)ms);
	say("backwards", aclrtEventElapsedTime(&ms, second, first));
	aclrtStreamWaitEvent(other, second); /* work of the other stream comes after it */
	aclrtRecordEvent(first, other);
	aclrtSynchronizeEvent(first);
	say("at the same time", aclrtEventElapsedTime(&ms, second, first) == 0 && ms == 0);
	say("copied", !std::strcmp(memory, "text"));
	aclmdlRICaptureBegin(stream, 1);
	say("record in a capture", aclrtRecordEvent(first, stream));
	say("join", aclrtRecordEvent(plain, stream) || aclrtStreamWaitEvent(other, plain));
	say("ask a captured one", aclrtQueryEventStatus(plain, &status));
	say("wait", aclrtSynchronizeStream(other));
	void *graph;
	say("end", aclmdlRICaptureEnd(stream, &graph));
	say("wait after", aclrtSynchronizeStream(other));
}

static void memory()
{
	size_t left = 0, all = 0, less = 0;
	void *a = nullptr, *b = nullptr, *piece, *address[2];

	aclrtGetMemInfo(0, &left, &all);
	say("malloc", aclrtMalloc(&a, 1000, 0));
	aclrtGetMemInfo(0, &less, &all);
	say("taken", (long)(left - less));
	say("too much", aclrtMallocAlign32(&b, all, 0));
	say("free", aclrtFree(a));
	say("free again", aclrtFree(a));
	aclrtReserveMemAddress(&address[0], 1 << 21, 0, nullptr, 0);
	aclrtReserveMemAddress(&address[1], 1 << 21, 0, nullptr, 0);
	aclrtMallocPhysical(&piece, 1 << 21, nullptr, 0);
	aclrtMapMem(address[0], 1 << 21, 0, piece, 0);
	aclrtMapMem(address[1], 1 << 21, 0, piece, 0);
	std::strcpy((char *)address[0] + 4096, "seen twice");
	std::printf("%s\n", (char *)address[1] + 4096);
	say("unmap", aclrtUnmapMem(address[0]) || aclrtUnmapMem(address[1]) || aclrtFreePhysical(piece));
	say("release", aclrtReleaseMemAddress(address[0]) || aclrtReleaseMemAddress(address[1]));
}

static void shapes()
{
	int64_t dims[] = { 2, 3 }, *shape = nullptr;
	float data[6] = { 1, 2, 3, 4, 5, 6 }, sum[2] = { 0, 0 };
	uint64_t n = 0, workspace = 0;
	void *executor = nullptr, *tensor = aclCreateTensor(dims, 2, 0, nullptr, 0, 2, dims, 2, data);
	int64_t out_dims[] = { 2 }, axis = 1;
	void *out = aclCreateTensor(out_dims, 1, 0, nullptr, 0, 2, out_dims, 1, sum), *axes = aclCreateIntArray(&axis, 1);

	aclGetViewShape(tensor, &shape, &n);
	say("dimensions", (long)n);
	say("elements", (long)(shape[0] * shape[1]));
	delete[] shape;
	aclnnReduceSumGetWorkspaceSize(tensor, axes, false, 0, out, &workspace, &executor);
	say("workspace", (long)workspace);
	say("too small", aclnnReduceSum(nullptr, 0, executor, nullptr) != 0);
	say("sum", aclnnReduceSum(data, workspace, executor, nullptr));
	std::printf("sums %g %g\n", (double)sum[0], (double)sum[1]);
	/* out = 1 * out + 2 * (tensor x its own turned around), of which the sums are another column */
	int64_t square[] = { 2, 2 }, turned_dims[] = { 3, 2 }, turned_strides[] = { 1, 3 };
	float product[4], two = 2, one = 1;
	void *turned = aclCreateTensor(turned_dims, 2, 0, turned_strides, 0, 2, dims, 2, data), *alpha = aclCreateScalar(&two, 0);
	void *both = aclCreateTensor(square, 2, 0, nullptr, 0, 2, square, 2, product), *beta = aclCreateScalar(&one, 0);
	aclnnAddmmGetWorkspaceSize(out, tensor, turned, beta, alpha, both, 0, &workspace, &executor);
	say("addmm", aclnnAddmm(data, workspace, executor, nullptr));
	std::printf("product %g %g %g %g\n", (double)product[0], (double)product[1], (double)product[2], (double)product[3]);
	aclDestroyIntArray(axes);
	aclDestroyTensor(out);
	say("destroy", aclDestroyTensor(tensor));
}

/* ---- ranks that are threads ---- */

static char root[4108];

static void *rank(void *number)
{
	uint32_t me = (uint32_t)(uintptr_t)number;
	HcclComm comm = nullptr;
	float mine[3] = { (float)me, 1, 2 }, all[9] = { 0 }, next = -1, sum[3];

	aclrtSetDevice((int32_t)me); /* each has streams of its own */
	HcclCommInitRootInfo(3, root, me, &comm);
	HcclAllGather(mine, all, 3, 4, comm, nullptr);
	HcclAllReduce(mine, sum, 3, 4, 0, comm, nullptr);
	HcclSendRecvItem items[] = { { 0, mine, 1, 4, (me + 1) % 3 }, { 1, &next, 1, 4, (me + 2) % 3 } };
	HcclBatchSendRecv(items, 2, comm, nullptr);
	HcclBarrier(comm, nullptr);
	if (me == 1)
		std::printf("gathered %g %g %g sum %g %g from before %g\n", (double)all[0], (double)all[3], (double)all[6], (double)sum[0],
			    (double)sum[2], (double)next);
	HcclCommDestroy(comm);
	return nullptr;
}

static void ranks()
{
	pthread_t threads[3];

	HcclGetRootInfo(root);
	for (uintptr_t i = 0; i < 3; i++)
		pthread_create(&threads[i], nullptr, rank, (void *)i);
	for (pthread_t thread : threads)
		pthread_join(thread, nullptr);
}

/* ---- msPTI ---- */

static uint8_t buffer[4096] __attribute__((aligned(8)));

static void request(uint8_t **where, size_t *size, size_t *most)
{
	*where = buffer;
	*size = sizeof(buffer);
	*most = 0;
}

static void complete(uint8_t *where, size_t, size_t valid)
{
	msptiActivity *record = nullptr;
	int n = 0;

	while (!msptiActivityGetNextRecord(where, valid, &record)) {
		uint64_t times[2];

		std::memcpy(times, (uint8_t *)record + 4, sizeof(times));
		say("kernel ns", (long)(times[1] - times[0]));
		n++;
	}
	say("records", n);
}

static void activities()
{
	void *subscriber, *second, *binary, *function;

	say("subscribe", msptiSubscribe(&subscriber, nullptr, nullptr));
	say("another one", msptiSubscribe(&second, nullptr, nullptr));
	msptiActivityRegisterCallbacks(request, complete);
	msptiActivityEnable(2);
	aclrtBinaryLoadFromData("", 0, nullptr, &binary);
	aclrtBinaryGetFunction(binary, "kernel", &function);
	aclrtLaunchKernel(function, 1, nullptr, 0, nullptr);
	aclrtLaunchKernel(function, 1, nullptr, 0, nullptr);
	msptiActivityFlushAll(1);
	say("unsubscribe", msptiUnsubscribe(subscriber));
}

int main(int argc, char **argv)
{
	if (argc > 1 && !std::strcmp(argv[1], "forever"))
		for (;;)
			mstxMarkA("mark", nullptr);
	events();
	memory();
	shapes();
	ranks();
	activities();
	mstxMarkA("mark", nullptr);
	return 0;
}
