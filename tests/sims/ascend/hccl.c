/*
 * hccl.c - libhccl: collectives. Each is one kernel on the caller's stream, launched on the same road as operators,
 * that moves pieces between the ranks and adds up what is to be added.
 */
#include "tests/sims/ascend/declare.h"
#include "tests/sims/ascend/hcomm.h"
#include "tests/sims/ascend/road.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct collective {
	HcclComm comm;
	char *send, *recv;
	uint64_t count, more; /* of the receiver, where it differs */
	int type, reduce;
	uint32_t root;
	bool pair;							   /* a message to it, or from it */
	const void *send_counts, *send_places, *recv_counts, *recv_places; /* u64 each, of elements */
};

static size_t width(int type)
{
	static const unsigned char bytes[] = { 1, 2, 4, 2, 4, 8, 8, 1, 2, 4, 8, 2, 16 };

	return (size_t)type < sizeof(bytes) ? bytes[type] : 1;
}

static size_t bytes_of(const struct collective *c, uint64_t count)
{
	return count * width(c->type);
}

/* ---- adding up ---- */

#define REDUCE(type)                                                                                 \
	for (uint64_t i = 0; i < n; i++) {                                                           \
		type *a = (type *)to + i, b = ((const type *)from)[i];                               \
                                                                                                     \
		*a = op == SIM_HCCL_REDUCE_SUM ? *a + b : op == SIM_HCCL_REDUCE_PROD	    ? *a * b \
						  : (op == SIM_HCCL_REDUCE_MAX) == (*a > b) ? *a     \
											    : b;     \
	}                                                                                            \
	break

static void add_up(void *to, const void *from, uint64_t n, int type, int op)
{
	switch (type) {
	case 2: REDUCE(int32_t);
	case 4: REDUCE(float);
	case 5: REDUCE(int64_t);
	case 10: REDUCE(double);
	}
}

/* ---- moving ---- */

/* Where the i-th rank's piece lies, and how long it is: by lists, or all of one size. */
static size_t piece(const struct collective *c, const void *counts, const void *places, uint32_t i, uint64_t each, size_t *place)
{
	*place = bytes_of(c, places ? ((const uint64_t *)places)[i] : each * i);
	return bytes_of(c, counts ? ((const uint64_t *)counts)[i] : each);
}

static int swap(const struct collective *c, char *from, bool same, char *to, uint64_t sent, uint64_t received)
{
	uint32_t n = hcomm_size(c->comm);
	struct hcomm_item *items = calloc(2 * n, sizeof(*items));
	size_t place;
	int rc;

	for (uint32_t i = 0; i < n; i++) {
		size_t size = piece(c, c->send_counts, c->send_places, i, sent, &place);

		items[i] = (struct hcomm_item){ SIM_HCCL_SEND, i, from + (same ? 0 : place), size };
		size = piece(c, c->recv_counts, c->recv_places, i, received, &place);
		items[n + i] = (struct hcomm_item){ SIM_HCCL_RECV, i, to + place, size };
	}
	rc = hcomm_move(c->comm, items, 2 * n);
	free(items);
	return rc;
}

static void all_gather(const void *args)
{
	const struct collective *c = args;

	swap(c, c->send, true, c->recv, c->count, c->count);
}

static void all_to_all(const void *args)
{
	const struct collective *c = args;

	swap(c, c->send, false, c->recv, c->count, c->more);
}

/* Everybody's pieces side by side, then added up in the order of ranks: the sum is the same everywhere. */
static void add_pieces(const struct collective *c, bool same)
{
	uint32_t n = hcomm_size(c->comm);
	char *all = malloc(bytes_of(c, c->count) * n + 1);

	swap(c, c->send, same, all, c->count, c->count);
	memcpy(c->recv, all, bytes_of(c, c->count));
	for (uint32_t i = 1; i < n; i++)
		add_up(c->recv, all + i * bytes_of(c, c->count), c->count, c->type, c->reduce);
	free(all);
}

static void reduce_scatter(const void *args)
{
	add_pieces(args, false);
}

static void all_reduce(const void *args)
{
	add_pieces(args, true);
}

/* From the root to everybody: the same, or a piece each. */
static void from_root(const struct collective *c, bool same)
{
	uint32_t n = hcomm_rank(c->comm) == c->root ? hcomm_size(c->comm) : 0;
	struct hcomm_item *items = calloc(n + 1, sizeof(*items));
	size_t size = bytes_of(c, c->count);
	char *kept = n ? malloc(size * n + 1) : NULL;

	for (uint32_t i = 0; i < n; i++) {
		memcpy(kept + i * size, c->send + (same ? 0 : i * size), size);
		items[i] = (struct hcomm_item){ SIM_HCCL_SEND, i, kept + i * size, size };
	}
	items[n] = (struct hcomm_item){ SIM_HCCL_RECV, c->root, c->recv, size };
	hcomm_move(c->comm, items, n + 1);
	free(kept);
	free(items);
}

static void broadcast(const void *args)
{
	from_root(args, true);
}

static void scatter(const void *args)
{
	from_root(args, false);
}

/* The root alone keeps the sum. */
static void reduce(const void *args)
{
	struct collective c = *(const struct collective *)args;
	bool root = hcomm_rank(c.comm) == c.root;
	char *nowhere = root ? NULL : malloc(bytes_of(&c, c.count) + 1);

	c.recv = root ? c.recv : nowhere;
	all_reduce(&c);
	free(nowhere);
}

static void send(const void *args)
{
	const struct collective *c = args;

	hcomm_move(c->comm, &(struct hcomm_item){ SIM_HCCL_SEND, c->root, c->send, bytes_of(c, c->count) }, 1);
}

static void receive(const void *args)
{
	const struct collective *c = args;

	hcomm_move(c->comm, &(struct hcomm_item){ SIM_HCCL_RECV, c->root, c->recv, bytes_of(c, c->count) }, 1);
}

/* ---- the functions ---- */

/* Messages between two are over when their time is. */
static struct ranks *meets(const void *args)
{
	const struct collective *c = args;

	return c->pair ? NULL : c->comm;
}

static int told(int rc)
{
	if (!rc && sim_on_collective)
		sim_on_collective();
	return rc;
}

#define LAUNCH(work, ...)                                                                           \
	static struct sim_function kernel = { .name = "hccl_" #work, .run = work, .meets = meets }; \
	static void *binary;                                                                        \
	struct collective c = { .comm = comm, __VA_ARGS__ };                                        \
                                                                                                    \
	return !comm || !hcomm_size(comm) ? SIM_HCCL_E_PARA : told(road_launch(&kernel, &binary, &c, sizeof(c), stream))

HcclResult do_HcclAllReduce(void *sendBuf, void *recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op, HcclComm comm,
			    aclrtStream stream)
{
	LAUNCH(all_reduce, .send = sendBuf, .recv = recvBuf, .count = count, .type = dataType, .reduce = op);
}

HcclResult do_HcclReduce(void *sendBuf, void *recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op, uint32_t root,
			 HcclComm comm, aclrtStream stream)
{
	LAUNCH(reduce, .send = sendBuf, .recv = recvBuf, .count = count, .type = dataType, .reduce = op, .root = root);
}

HcclResult do_HcclBroadcast(void *buf, uint64_t count, HcclDataType dataType, uint32_t root, HcclComm comm, aclrtStream stream)
{
	LAUNCH(broadcast, .send = buf, .recv = buf, .count = count, .type = dataType, .root = root);
}

HcclResult do_HcclScatter(void *sendBuf, void *recvBuf, uint64_t recvCount, HcclDataType dataType, uint32_t root, HcclComm comm,
			  aclrtStream stream)
{
	LAUNCH(scatter, .send = sendBuf, .recv = recvBuf, .count = recvCount, .type = dataType, .root = root);
}

HcclResult do_HcclAllGather(void *sendBuf, void *recvBuf, uint64_t sendCount, HcclDataType dataType, HcclComm comm, aclrtStream stream)
{
	LAUNCH(all_gather, .send = sendBuf, .recv = recvBuf, .count = sendCount, .type = dataType);
}

HcclResult do_HcclReduceScatter(void *sendBuf, void *recvBuf, uint64_t recvCount, HcclDataType dataType, HcclReduceOp op, HcclComm comm,
				aclrtStream stream)
{
	LAUNCH(reduce_scatter, .send = sendBuf, .recv = recvBuf, .count = recvCount, .type = dataType, .reduce = op);
}

HcclResult do_HcclAlltoAll(const void *sendBuf, uint64_t sendCount, HcclDataType sendType, const void *recvBuf, uint64_t recvCount,
			   HcclDataType recvType, HcclComm comm, aclrtStream stream)
{
	LAUNCH(all_to_all, .send = (char *)sendBuf, .recv = (char *)recvBuf, .count = sendCount, .more = recvCount, .type = sendType);
}

HcclResult do_HcclAlltoAllV(const void *sendBuf, const void *sendCounts, const void *sdispls, HcclDataType sendType, const void *recvBuf,
			    const void *recvCounts, const void *rdispls, HcclDataType recvType, HcclComm comm, aclrtStream stream)
{
	LAUNCH(all_to_all, .send = (char *)sendBuf, .recv = (char *)recvBuf, .type = sendType, .send_counts = sendCounts,
	       .send_places = sdispls, .recv_counts = recvCounts, .recv_places = rdispls);
}

HcclResult do_HcclSend(void *sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank, HcclComm comm, aclrtStream stream)
{
	LAUNCH(send, .send = sendBuf, .count = count, .type = dataType, .root = destRank, .pair = true);
}

HcclResult do_HcclRecv(void *recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank, HcclComm comm, aclrtStream stream)
{
	LAUNCH(receive, .recv = recvBuf, .count = count, .type = dataType, .root = srcRank, .pair = true);
}

struct batch {
	HcclComm comm;
	size_t n;
	struct hcomm_item items[64];
};

static void batch(const void *args)
{
	struct batch b = *(const struct batch *)args;

	hcomm_move(b.comm, b.items, b.n);
}

HcclResult do_HcclBatchSendRecv(HcclSendRecvItem *sendRecvInfo, uint32_t itemNum, HcclComm comm, aclrtStream stream)
{
	static struct sim_function kernel = { .name = "hccl_batch", .run = batch };
	static void *binary;
	const HcclSendRecvItem *given = sendRecvInfo;
	struct batch b = { .comm = comm, .n = itemNum };

	if (!given || itemNum > 64)
		return SIM_HCCL_E_PARA;
	for (uint32_t i = 0; i < itemNum; i++)
		b.items[i] = (struct hcomm_item){ given[i].type, given[i].remoteRank, given[i].buf,
						  given[i].count * width(given[i].dataType) };
	return told(road_launch(&kernel, &binary, &b, sizeof(b), stream));
}

/*
 * The barrier is libhcomm's: found as the next one of that name behind this library, whoever wraps dlsym. Getting
 * oneself back would never end.
 */
#ifndef SIM_OVER_RT
HcclResult do_HcclBarrier(HcclComm comm, aclrtStream stream)
{
	HcclResult (*barrier)(HcclComm, aclrtStream) = dlsym(RTLD_NEXT, "HcclBarrier");

	if (!barrier || barrier == HcclBarrier)
		abort();
	return barrier(comm, stream);
}
#endif
