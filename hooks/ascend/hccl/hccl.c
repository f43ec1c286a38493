/* hccl.c - what HCCL and LCCL say of communicators and collectives, in the words of hooks/capture/communicators. */
#include "hooks/ascend/hccl/hccl.h"
#include "hooks/ascend/tracking/streams.h"
#include "hooks/link/resolve.h"

#define ROOT_INFO_BYTES 4108 /* sizeof(HcclRootInfo) */
_Static_assert(NAME_BYTES == 128, "COMM_NAME_MAX_LENGTH");

/* ---- communicators ---- */

static void ask(void *comm, struct communicator *known, char *name)
{
	static _Atomic(void *) rank_cache, size_cache, name_cache;
	HcclResult (*rank)(HcclComm, uint32_t *) = hook_vendor(&rank_cache, "HcclGetRankId");
	HcclResult (*size)(HcclComm, uint32_t *) = hook_vendor(&size_cache, "HcclGetRankSize");
	HcclResult (*get_name)(HcclComm, char *) = hook_vendor(&name_cache, "HcclGetCommName");
	uint32_t value;

	if (known->rank < 0 && rank && !rank(comm, &value))
		known->rank = (int32_t)value;
	if (!known->size && size && !size(comm, &value))
		known->size = value;
	if (get_name && get_name(comm, name))
		name[0] = '\0';
}

struct communicators hccl_communicators = { .ask = ask, .streams = &ascend_streams };

uint64_t hccl_met(const HcclRootInfo *root_infos, uint32_t count)
{
	return communicators_met(root_infos, (size_t)count * ROOT_INFO_BYTES);
}

uint64_t hccl_part(HcclComm whole, uint64_t number, const uint32_t *ranks, uint32_t count)
{
	return communicators_part(&hccl_communicators, whole, number, ranks, count);
}

static void made(void *comm, int64_t rank, uint64_t size, uint64_t group, bool may_ask)
{
	communicators_new(&hccl_communicators, comm, (struct communicator){ (int32_t)rank, (uint32_t)size, group, THREAD_S_DEVICE, true }, may_ask);
}

void hccl_new(HcclComm comm, int64_t rank, uint64_t size, uint64_t group)
{
	made(comm, rank, size, group, true);
}

void lccl_new(LcalCommPtr comm, int64_t rank, uint64_t size, uint64_t group)
{
	made(comm, rank, size, group, false);
}

uint64_t hccl_communicator(const void *comm)
{
	return communicators_id(&hccl_communicators, comm);
}

/* ---- collectives ---- */

static uint32_t data_type(HcclDataType type)
{
	static const unsigned char types[] = {
		[HCCL_DATA_TYPE_INT8] = DATA_INT8,
		[HCCL_DATA_TYPE_INT16] = DATA_INT16,
		[HCCL_DATA_TYPE_INT32] = DATA_INT32,
		[HCCL_DATA_TYPE_FP16] = DATA_FP16,
		[HCCL_DATA_TYPE_FP32] = DATA_FP32,
		[HCCL_DATA_TYPE_INT64] = DATA_INT64,
		[HCCL_DATA_TYPE_UINT64] = DATA_UINT64,
		[HCCL_DATA_TYPE_UINT8] = DATA_UINT8,
		[HCCL_DATA_TYPE_UINT16] = DATA_UINT16,
		[HCCL_DATA_TYPE_UINT32] = DATA_UINT32,
		[HCCL_DATA_TYPE_FP64] = DATA_FP64,
		[HCCL_DATA_TYPE_BFP16] = DATA_BF16,
		[HCCL_DATA_TYPE_INT128] = DATA_INT128,
		[HCCL_DATA_TYPE_HIF8] = DATA_FP8,
		[HCCL_DATA_TYPE_FP8E4M3] = DATA_FP8,
		[HCCL_DATA_TYPE_FP8E5M2] = DATA_FP8,
		[HCCL_DATA_TYPE_FP8E8M0] = DATA_FP8,
		[HCCL_DATA_TYPE_MXFP8] = DATA_FP8,
	};

	if (type == NO_TYPE)
		return DATA_NONE;
	return (size_t)type < sizeof(types) && types[type] ? types[type] : DATA_OTHER;
}

static uint32_t reduction(HcclReduceOp op)
{
	static const unsigned char reductions[] = { REDUCE_SUM, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN };

	if (op == NO_OP)
		return REDUCE_NONE;
	return (size_t)op < sizeof(reductions) ? reductions[op] : REDUCE_OTHER;
}

uint64_t hccl_bytes(const HcclSendRecvItem *items, uint32_t count)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < count; i++)
		bits += items[i].count * communicators_bits(data_type(items[i].dataType));
	return bits / 8;
}

static struct collective collective(const struct hccl_call *call)
{
	return (struct collective){ call->comm, call->count, data_type(call->type), reduction(call->op), call->peer };
}

uint64_t hccl_collective(const struct hccl_call *call, bool good, uint64_t *bytes)
{
	struct collective c = collective(call);

	return communicators_collective(&hccl_communicators, &c, good, true, bytes);
}

uint64_t lccl_collective(const struct hccl_call *call, bool good, uint64_t *bytes)
{
	struct collective c = collective(call);

	return communicators_collective(&hccl_communicators, &c, good, false, bytes);
}
