/* lcal.c - liblcal: communicators of ranks that never meet: a collective is one kernel that copies what this rank gave. */
#include "tests/sims/ascend/declare.h"
#include "tests/sims/ascend/road.h"
#include <stdlib.h>
#include <string.h>

struct lcal {
	int rank, ranks;
};

struct copy {
	void *to;
	const void *from;
	size_t size;
};

static void move(const void *args)
{
	const struct copy *c = args;

	memmove(c->to, c->from, c->size);
}

static int launch(LcalCommPtr comm, aclrtStream stream, void *to, const void *from, int64_t count, HcclDataType type)
{
	static const unsigned char bytes[] = { 1, 2, 4, 2, 4, 8, 8, 1, 2, 4, 8, 2, 16 };
	static struct sim_function kernel = { .name = "lcal_move", .run = move };
	static void *binary;
	struct copy c = { to, from, (size_t)count * ((size_t)type < sizeof(bytes) ? bytes[type] : 1) };

	return comm ? road_launch(&kernel, &binary, &c, sizeof(c), stream) : SIM_HCCL_E_PARA;
}

int do_LcclAllReduce(void *sendBuf, void *recvBuf, int64_t count, HcclDataType dataType, HcclReduceOp op, LcalCommPtr comm, aclrtStream stream)
{
	return launch(comm, stream, recvBuf, sendBuf, count, dataType);
}

int do_LcclAllGather(void *sendBuf, void *recvBuf, int64_t sendCount, HcclDataType dataType, LcalCommPtr comm, aclrtStream stream)
{
	return launch(comm, stream, recvBuf, sendBuf, sendCount, dataType);
}

int do_LcclReduceScatter(void *sendBuf, void *recvBuf, int64_t recvCount, HcclDataType dataType, HcclReduceOp op, LcalCommPtr comm,
			 aclrtStream stream)
{
	return launch(comm, stream, recvBuf, sendBuf, recvCount, dataType);
}

int do_LcclBroadcast(void *buf, int64_t count, HcclDataType dataType, int root, LcalCommPtr comm, aclrtStream stream)
{
	return launch(comm, stream, buf, buf, count, dataType);
}

int do_LcalCommInit(int rank, int rankSize, LcalCommPtr *comms)
{
	struct lcal *c = calloc(1, sizeof(*c));

	*c = (struct lcal){ rank, rankSize };
	*comms = c;
	return 0;
}

int do_LcalCommInitRankLocal(int rankSize, int rank, LcalCommPtr *comms)
{
	return do_LcalCommInit(rank, rankSize, comms);
}

int do_LcalCommInitThread(int rank, int rankSize, const char *uid, LcalCommPtr *comms)
{
	return do_LcalCommInit(rank, rankSize, comms);
}

int do_LcalCommInitAll(uint32_t ndev, int32_t *devices, LcalCommPtr *comms)
{
	for (uint32_t i = 0; i < ndev; i++)
		do_LcalCommInit((int)i, (int)ndev, &comms[i]);
	return 0;
}

int do_LcclCommDestroy(LcalCommPtr comm)
{
	free(comm);
	return 0;
}
