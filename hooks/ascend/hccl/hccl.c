/* hccl.c - tracks communicators, and what collectives are given. */
#include "hooks/ascend/hccl/hccl.h"
#include <string.h>
#include <unistd.h>
#include "agent/session/definitions.h"
#include "agent/session/device_ranks.h"
#include "agent/session/identity.h"
#include "agent/session/session.h"
#include "agent/steps/steps.h"
#include "hooks/link/resolve.h"

#define ROOT_INFO_BYTES 4108 /* sizeof(HcclRootInfo) */
#define NAME_BYTES	128  /* COMM_NAME_MAX_LENGTH */

static struct handles communicators; /* a = DEF_COMMUNICATOR id, b = generation of the session */
static struct handles groups;	     /* of a communicator: a = group, b = ranks */
static struct handles collectives;   /* hash of what it is given: a = DEF_COLLECTIVE id */

/* ---- groups ---- */

static uint64_t hash_more(uint64_t h, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		h = (h ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3ull;
	return h;
}

/* Neither NO_GROUP nor BY_NAME, and no empty key of a table. */
static uint64_t hash_of(const void *bytes, size_t size)
{
	return hash_more(0xCBF29CE484222325ull, bytes, size) | 3;
}

uint64_t hccl_met(const HcclRootInfo *root_infos, uint32_t count)
{
	return hash_of(root_infos, (size_t)count * ROOT_INFO_BYTES);
}

uint64_t hccl_part(HcclComm whole, uint64_t number, const uint32_t *ranks, uint32_t count)
{
	struct handle_slot *s = whole ? handles_get(&groups, (uintptr_t)whole) : NULL;
	uint64_t key[] = { s ? atomic_load(&s->a) : NO_GROUP, number };

	return hash_more(hash_of(key, sizeof(key)), ranks, ranks ? count * sizeof(*ranks) : 0) | 3;
}

uint64_t hccl_named(const char *name)
{
	return name && *name ? hash_of(name, strlen(name)) : NO_GROUP;
}

/* ---- communicators ---- */

#define THREAD_S_DEVICE -1 /* made for the device that the thread is on */

/* What the program did not say is asked. */
static void ask(HcclComm comm, struct def_communicator *d, char name[NAME_BYTES])
{
	static _Atomic(void *) rank_cache, size_cache, name_cache;
	HcclResult (*rank)(HcclComm, uint32_t *) = hook_vendor(&rank_cache, "HcclGetRankId");
	HcclResult (*size)(HcclComm, uint32_t *) = hook_vendor(&size_cache, "HcclGetRankSize");
	HcclResult (*get_name)(HcclComm, char *) = hook_vendor(&name_cache, "HcclGetCommName");
	uint32_t value;

	if (d->rank < 0 && rank && !rank(comm, &value))
		d->rank = (int32_t)value;
	if (!d->size && size && !size(comm, &value))
		d->size = value;
	if (get_name && get_name(comm, name))
		name[0] = '\0';
}

/* device: the vendor's number. alone: it was not made with others of its group. */
static void define(void *comm, struct def_communicator d, int32_t device, bool may_ask, bool alone)
{
	static _Atomic uint64_t count;
	char name[NAME_BYTES + 1] = "";
	uint32_t of, inside = producer.inside;
	uint64_t id;
	bool news;

	if (!comm || !gate_may_record() || producer.inside & INSIDE_AGENT)
		return;
	d.handle = (uintptr_t)comm;
	producer.inside = record_inside(inside) | INSIDE_AGENT; /* calls that these make are not the program's */
	if (may_ask)
		ask(comm, &d, name);
	of = device == THREAD_S_DEVICE ? contexts_device() : contexts_device_numbered(device);
	producer.inside = inside;
	if (d.group == BY_NAME)
		d.group = hccl_named(name);
	handles_put(&groups, d.handle, d.group, d.size);
	id = atomic_fetch_add(&count, 1) + 1;
	if (definitions_add(DEF_COMMUNICATOR, id, &d, sizeof(d), name, strlen(name)))
		handles_put(&communicators, d.handle, id, session_generation);
	news = device_ranks_told(d.group, d.rank, d.size, of);
	if ((alone && identity_told_world(d.rank, d.size)) || news)
		steps_rank_is_known();
}

static void define_hccl(HcclComm comm, int64_t rank, uint64_t size, uint64_t group, int32_t device, bool alone)
{
	define(comm, (struct def_communicator){ .group = group, .rank = (int32_t)rank, .size = (uint32_t)size }, device, true, alone);
}

static void define_lccl(LcalCommPtr comm, int64_t rank, uint64_t size, uint64_t group, int32_t device, bool alone)
{
	define(comm, (struct def_communicator){ .group = group, .rank = (int32_t)rank, .size = (uint32_t)size }, device, false, alone);
}

void hccl_new(HcclComm comm, int64_t rank, uint64_t size, uint64_t group)
{
	define_hccl(comm, rank, size, group, THREAD_S_DEVICE, true);
}

void lccl_new(LcalCommPtr comm, int64_t rank, uint64_t size, uint64_t group)
{
	define_lccl(comm, rank, size, group, THREAD_S_DEVICE, true);
}

/* No other process has this group. */
static uint64_t group_here(const void *comms)
{
	uint64_t key[] = { (uintptr_t)comms, (uint64_t)getpid(), clock_ticks() };

	return hash_of(key, sizeof(key));
}

void hccl_new_all(const HcclComm *comms, const int32_t *devices, uint32_t count)
{
	uint64_t group = group_here(comms);

	for (uint32_t i = 0; i < count; i++)
		define_hccl(comms[i], i, count, group, devices ? devices[i] : (int32_t)i, count == 1);
}

void lccl_new_all(const LcalCommPtr *comms, const int32_t *devices, uint32_t count)
{
	uint64_t group = group_here(comms);

	for (uint32_t i = 0; i < count; i++)
		define_lccl(comms[i], i, count, group, devices ? devices[i] : (int32_t)i, count == 1);
}

static void forget(struct handles *table, void *comm)
{
	struct handle_slot *s = comm ? handles_get(table, (uintptr_t)comm) : NULL;

	if (s)
		handles_forget(s);
}

void hccl_end(void *comm)
{
	source_collective_forget(comm);
	forget(&communicators, comm);
	forget(&groups, comm);
}

uint64_t hccl_communicator(void *comm)
{
	struct handle_slot *s = comm ? handles_get(&communicators, (uintptr_t)comm) : NULL;

	return s && atomic_load(&s->b) == session_generation ? atomic_load(&s->a) : 0;
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

static const unsigned char data_bits[] = {
#define TYPE(symbol, word, bits) [DATA_##symbol] = bits,
	DATA_TYPES(TYPE)
#undef TYPE
};

static uint64_t define_collective(uint64_t hash, const struct def_collective *d)
{
	uint64_t id = definitions_id();

	if (!definitions_add(DEF_COLLECTIVE, id, d, sizeof(*d), NULL, 0))
		return 0;
	handles_put(&collectives, hash, id, 0);
	return id;
}

uint64_t hccl_bytes(const HcclSendRecvItem *items, uint32_t count)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < count; i++)
		bits += items[i].count * data_bits[data_type(items[i].dataType)];
	return bits / 8;
}

static uint64_t collective(const struct hccl_call *call, uint64_t communicator, uint64_t *bytes)
{
	struct def_collective d = {
		.communicator = communicator,
		.count = call->count,
		.type = data_type(call->type),
		.reduction = reduction(call->op),
		.peer = call->peer,
	};
	uint64_t key[] = { session_generation, d.communicator, d.count, d.type, d.reduction, (uint64_t)d.peer };
	uint64_t hash = hash_of(key, sizeof(key));
	struct handle_slot *s = handles_get(&collectives, hash);

	*bytes = d.count * data_bits[d.type] / 8;
	return s ? atomic_load(&s->a) : define_collective(hash, &d);
}

uint64_t hccl_collective(const struct hccl_call *call, bool good, uint64_t *bytes)
{
	if (good && !hccl_communicator(call->comm))
		hccl_new(call->comm, -1, 0, NO_GROUP); /* made where we did not look */
	return collective(call, hccl_communicator(call->comm), bytes);
}

uint64_t lccl_collective(const struct hccl_call *call, bool good, uint64_t *bytes)
{
	if (good && !hccl_communicator(call->comm))
		lccl_new(call->comm, -1, 0, NO_GROUP);
	return collective(call, hccl_communicator(call->comm), bytes);
}

void hccl_tick(const char *name, void *comm, bool may_ask)
{
	struct handle_slot *s;

	if (!comm || !source_collective_matches(name))
		return;
	if (may_ask && !handles_get(&groups, (uintptr_t)comm))
		hccl_new(comm, -1, 0, NO_GROUP); /* made where we did not look */
	s = handles_get(&groups, (uintptr_t)comm);
	source_collective_called(comm, s ? (uint32_t)atomic_load(&s->b) : 0);
}
