#include "hooks/cuda/nccl/nccl.h"
#include "agent/os/elf.h"
#include "hooks/link/resolve.h"
#include "hooks/link/vendor.h"
#include "hooks/rows/family.h"

struct handles nccl_memory;

/* What the program has not said. */
static void ask(void *comm, struct communicator *known, char *name)
{
	static _Atomic(void *) rank_cache, size_cache, device_cache;
	ncclResult_t (*rank)(ncclComm_t, int *) = hook_vendor(&rank_cache, "ncclCommUserRank");
	ncclResult_t (*size)(ncclComm_t, int *) = hook_vendor(&size_cache, "ncclCommCount");
	ncclResult_t (*device)(ncclComm_t, int *) = hook_vendor(&device_cache, "ncclCommCuDevice");
	int value;

	(void)name;
	if (known->rank < 0 && rank && !rank(comm, &value))
		known->rank = value;
	if (!known->size && size && !size(comm, &value))
		known->size = (uint32_t)value;
	if (known->device == THREAD_S_DEVICE && device && !device(comm, &value))
		known->device = value;
}

/* ---- whose streams ---- */

#define LIBRARIES 8
static struct library {
	const struct vendor *vendor;
	struct communicators communicators;
} libraries[LIBRARIES]; /* one for each vendor that they may be of */

void nccl_started(void)
{
	struct library *l = libraries;

	for (const struct vendor *const *v = vendors; *v && l < libraries + LIBRARIES; v++)
		if ((*v)->companions) {
			l->vendor = *v;
			l->communicators.ask = ask;
			l->communicators.streams = (*v)->times->streams;
			l++;
		}
}

/* By how the library is called; one that nobody knows is the first one's. */
static struct library *look_for_library(const void *real)
{
	struct elf_object o;
	const char *soname = elf_object_at(real, &o) ? elf_name(&o) : NULL;

	for (struct library *l = libraries; soname && l < libraries + LIBRARIES && l->vendor; l++)
		if (family_has(l->vendor->companions, soname))
			return l;
	return libraries;
}

static struct library *library_of(const void *real)
{
	static struct handles known; /* a = by a function of it */
	struct handle_slot *s = handles_get(&known, (uintptr_t)real);
	struct library *found;

	if (s)
		return (struct library *)(uintptr_t)atomic_load(&s->a);
	found = look_for_library(real);
	handles_put(&known, (uintptr_t)real, (uintptr_t)found, 0);
	return found;
}

struct vendor_times *nccl_times(const void *real)
{
	return library_of(real)->vendor->times;
}

struct communicators *nccl_communicators(const void *real)
{
	return &library_of(real)->communicators;
}

/* ---- communicators ---- */

uint64_t nccl_met(const ncclUniqueId *ids, int count)
{
	return communicators_met(ids, (size_t)count * sizeof(*ids));
}

uint64_t nccl_part(struct communicators *of, ncclComm_t whole, int number, const int *ranks, int count)
{
	return communicators_part(of, whole, (uint64_t)number, (const uint32_t *)ranks, (uint32_t)count);
}

void nccl_new(struct communicators *of, ncclComm_t comm, int rank, int size, uint64_t group)
{
	communicators_new(of, comm, (struct communicator){ rank, (uint32_t)size, group, THREAD_S_DEVICE, true }, true);
}

/* ---- collectives ---- */

static uint32_t data_type(ncclDataType_t type)
{
	static const unsigned char types[] = { DATA_INT8, DATA_UINT8, DATA_INT32, DATA_UINT32, DATA_INT64, DATA_UINT64, DATA_FP16, DATA_FP32, DATA_FP64, DATA_BF16, DATA_FP8, DATA_FP8 }; /* in the order of ncclDataType_t */

	if (type == NO_TYPE)
		return DATA_NONE;
	return (size_t)type < sizeof(types) ? types[type] : DATA_OTHER;
}

/* The average and the program's own are others. */
static uint32_t reduction(ncclRedOp_t op)
{
	static const unsigned char reductions[] = { REDUCE_SUM, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN };

	if (op == NO_REDUCTION)
		return REDUCE_NONE;
	return (size_t)op < sizeof(reductions) ? reductions[op] : REDUCE_OTHER;
}

uint64_t nccl_collective(struct communicators *of, const struct nccl_call *call, bool good, uint64_t *bytes)
{
	struct collective c = { call->comm, call->count, data_type(call->type), reduction(call->op), call->peer };

	return communicators_collective(of, &c, good, true, bytes);
}

/* ---- groups ---- */

static struct handles groups; /* by thread: a = how deep | QUEUED, b = stream of what was queued last */
#define QUEUED (1ull << 32)

static struct handle_slot *group_here(void)
{
	return handles_get(&groups, producer_thread());
}

void nccl_group_starts(void)
{
	struct handle_slot *s = group_here();

	if (!s)
		s = handles_put(&groups, producer_thread(), 0, 0);
	if (s)
		atomic_fetch_add(&s->a, 1);
}

bool nccl_in_group(void)
{
	struct handle_slot *s = group_here();

	return s && (uint32_t)atomic_load(&s->a);
}

void nccl_queued(cudaStream_t stream)
{
	struct handle_slot *s = group_here();

	if (!s || !(uint32_t)atomic_load(&s->a))
		return;
	atomic_store(&s->b, (uintptr_t)stream);
	atomic_fetch_or(&s->a, QUEUED);
}

bool nccl_group_ends(cudaStream_t *stream)
{
	struct handle_slot *s = group_here();
	uint64_t was = s ? atomic_load(&s->a) : 0;

	*stream = NO_STREAM;
	if (!(uint32_t)was)
		return false;
	atomic_store(&s->a, (uint32_t)was == 1 ? 0 : was - 1);
	if (was != (1 | QUEUED))
		return false;
	*stream = (cudaStream_t)(uintptr_t)atomic_load(&s->b);
	return true;
}
