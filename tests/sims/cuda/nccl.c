/*
 * nccl.c - libnccl: communicators between processes or threads of this machine, and collectives. What one group has for one
 * communicator and stream is one kernel, which the library's own copy of the runtime launches, as NVIDIA's does. The group's
 * first kernel moves all that the group is to move, so that one thread may have several devices.
 */
#include "tests/sims/cuda/nccl.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the kernel ---- */

#define NAME_OF_KERNEL "_Z19ncclDevKernel_Generic"
static const struct sim_kernel code[] = { { NAME_OF_KERNEL, nccl_kernel, { sizeof(struct nccl_job) } }, { NULL, NULL, { 0 } } };
static const struct sim_image image = { SIM_IMAGE, code };
static const struct sim_fat_binary fat = { SIM_FAT_BINARY, 1, &image, NULL };
static const char stub[16];

__attribute__((constructor)) static void registering(void)
{
	void **handle = __cudaRegisterFatBinary((void *)&fat);

	__cudaRegisterFunction(handle, stub, (char *)stub, NAME_OF_KERNEL, -1, NULL, NULL, NULL, NULL, NULL);
#ifndef BY_HIP
	__cudaRegisterFatBinaryEnd(handle);
#endif
}

static int launch(const struct comm *comm, cudaStream_t stream, const struct nccl_job *job)
{
	cudaLaunchConfig_t config = { .gridDim = { 1, 1, 1 }, .blockDim = { 512, 1, 1 }, .stream = stream };
	int was = comm->device, rc;

	cudaGetDevice(&was);
	if (was != comm->device)
		cudaSetDevice(comm->device);
#ifdef BY_HIP
	rc = cudaLaunchKernel(stub, config.gridDim, config.blockDim, (void *[]){ (void *)job }, 0, stream);
#else
	rc = cudaLaunchKernelExC(&config, stub, (void *[]){ (void *)job });
#endif
	if (was != comm->device)
		cudaSetDevice(was);
	return rc ? SIM_NCCL_CUDA_ERROR : 0;
}

/* ---- groups ---- */

static __thread int depth, queued;
static __thread struct nccl_op *queue;
static __thread cudaStream_t *streams;
static __thread int room;

static void push(const struct nccl_op *op, cudaStream_t stream)
{
	if (queued == room) {
		room = room ? 2 * room : 16;
		queue = realloc(queue, (size_t)room * sizeof(*queue));
		streams = realloc(streams, (size_t)room * sizeof(*streams));
	}
	queue[queued] = *op;
	streams[queued++] = stream;
}

static bool is_first_of_its_kernel(int i)
{
	for (int before = 0; before < i; before++)
		if (queue[before].comm == queue[i].comm && streams[before] == streams[i])
			return false;
	return true;
}

/* Larger groups than go into a kernel's parameters lie elsewhere, for ever: they may have been captured. */
static int flush(void)
{
	struct nccl_job job = { .n = queued }, rest = { 0 };
	int rc = 0, n = queued;
	bool first = true;

	if (queued > NCCL_OPS)
		job.more = memcpy(calloc((size_t)n, sizeof(*queue)), queue, (size_t)n * sizeof(*queue));
	else if (queued)
		memcpy(job.ops, queue, (size_t)n * sizeof(*queue));
	for (int i = 0; i < n && !rc; i++)
		if (is_first_of_its_kernel(i)) {
			rc = launch(queue[i].comm, streams[i], first ? &job : &rest);
			first = false;
		}
	queued = 0;
	return rc;
}

static int give(ncclComm_t comm, cudaStream_t stream, struct nccl_op op)
{
	if (!comm || ((struct comm *)comm)->magic != NCCL_COMM)
		return SIM_NCCL_INVALID_ARGUMENT;
	op.comm = comm;
	push(&op, stream);
	return depth ? 0 : flush();
}

ncclResult_t do_ncclGroupStart(void)
{
	depth++;
	return 0;
}

ncclResult_t do_ncclGroupEnd(void)
{
	if (!depth)
		return SIM_NCCL_INVALID_USAGE;
	return --depth ? 0 : flush();
}

/* ---- collectives ---- */

ncclResult_t do_ncclAllReduce(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm,
			      cudaStream_t stream)
{
	return give(comm, stream, (struct nccl_op){ NCCL_ALL_REDUCE, NULL, (char *)sendbuff, recvbuff, count, datatype, op, 0 });
}

ncclResult_t do_ncclReduce(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, ncclRedOp_t op, int root,
			   ncclComm_t comm, cudaStream_t stream)
{
	return give(comm, stream, (struct nccl_op){ NCCL_REDUCE, NULL, (char *)sendbuff, recvbuff, count, datatype, op, root });
}

ncclResult_t do_ncclBroadcast(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm,
			      cudaStream_t stream)
{
	return give(comm, stream, (struct nccl_op){ NCCL_BROADCAST, NULL, (char *)sendbuff, recvbuff, count, datatype, 0, root });
}

ncclResult_t do_ncclBcast(void *buff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream)
{
	return do_ncclBroadcast(buff, buff, count, datatype, root, comm, stream);
}

ncclResult_t do_ncclAllGather(const void *sendbuff, void *recvbuff, size_t sendcount, ncclDataType_t datatype, ncclComm_t comm,
			      cudaStream_t stream)
{
	return give(comm, stream, (struct nccl_op){ NCCL_ALL_GATHER, NULL, (char *)sendbuff, recvbuff, sendcount, datatype, 0, 0 });
}

ncclResult_t do_ncclReduceScatter(const void *sendbuff, void *recvbuff, size_t recvcount, ncclDataType_t datatype, ncclRedOp_t op,
				  ncclComm_t comm, cudaStream_t stream)
{
	return give(comm, stream, (struct nccl_op){ NCCL_REDUCE_SCATTER, NULL, (char *)sendbuff, recvbuff, recvcount, datatype, op, 0 });
}

ncclResult_t do_ncclAlltoAll(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, ncclComm_t comm,
			     cudaStream_t stream)
{
	return give(comm, stream, (struct nccl_op){ NCCL_ALL_TO_ALL, NULL, (char *)sendbuff, recvbuff, count, datatype, 0, 0 });
}

ncclResult_t do_ncclGather(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm,
			   cudaStream_t stream)
{
	return give(comm, stream, (struct nccl_op){ NCCL_GATHER, NULL, (char *)sendbuff, recvbuff, count, datatype, 0, root });
}

ncclResult_t do_ncclScatter(const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm,
			    cudaStream_t stream)
{
	return give(comm, stream, (struct nccl_op){ NCCL_SCATTER, NULL, (char *)sendbuff, recvbuff, count, datatype, 0, root });
}

ncclResult_t do_ncclSend(const void *sendbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm, cudaStream_t stream)
{
	return give(comm, stream, (struct nccl_op){ NCCL_SEND, NULL, (char *)sendbuff, NULL, count, datatype, 0, peer });
}

ncclResult_t do_ncclRecv(void *recvbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm, cudaStream_t stream)
{
	return give(comm, stream, (struct nccl_op){ NCCL_RECV, NULL, NULL, recvbuff, count, datatype, 0, peer });
}

/* ---- communicators ---- */

static int join(const char *name, int n, int rank, int device, ncclComm_t *comm)
{
	struct comm *c;

	if (!comm || n < 1 || rank < 0 || rank >= n)
		return SIM_NCCL_INVALID_ARGUMENT;
	c = calloc(1, sizeof(*c));
	*c = (struct comm){ .magic = NCCL_COMM, .device = device, .ranks = ranks_join(name, (uint32_t)n, (uint32_t)rank) };
	*comm = c;
	return c->ranks ? 0 : SIM_NCCL_SYSTEM_ERROR;
}

ncclResult_t do_ncclGetUniqueId(ncclUniqueId *uniqueId)
{
	static _Atomic int number;

	memset(uniqueId, 0, sizeof(*uniqueId));
	snprintf(uniqueId->internal, sizeof(uniqueId->internal), "simnccl-%d-%d", getpid(), atomic_fetch_add(&number, 1));
	return 0;
}

ncclResult_t do_ncclCommInitRank(ncclComm_t *comm, int nranks, ncclUniqueId commId, int rank)
{
	int device = 0;

	if (cudaGetDevice(&device))
		return SIM_NCCL_CUDA_ERROR;
	return join(commId.internal, nranks, rank, device, comm);
}

ncclResult_t do_ncclCommInitRankConfig(ncclComm_t *comm, int nranks, ncclUniqueId commId, int rank, ncclConfig_t *config)
{
	return do_ncclCommInitRank(comm, nranks, commId, rank);
}

ncclResult_t do_ncclCommInitAll(ncclComm_t *comm, int ndev, const int *devlist)
{
	ncclUniqueId id;
	int rc = do_ncclGetUniqueId(&id);

	for (int i = 0; i < ndev && !rc; i++)
		rc = join(id.internal, ndev, i, devlist ? devlist[i] : i, &comm[i]);
	return rc;
}

/* Everybody tells everybody its color and key: those of one color are a group, in the order of keys. */
ncclResult_t do_ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *newcomm, ncclConfig_t *config)
{
	struct comm *c = comm;
	int n = (int)ranks_number(c->ranks), me = (int)ranks_rank(c->ranks), size = 0, rank = 0;
	int mine[2] = { color, key }, (*all)[2] = calloc((size_t)n, sizeof(*all));
	struct ranks_item *items = calloc(2 * (size_t)n, sizeof(*items));
	char name[128];
	bool told;

	for (int i = 0; i < n; i++) {
		items[i] = (struct ranks_item){ c->ranks, true, (uint32_t)i, (char *)mine, sizeof(mine), 0 };
		items[n + i] = (struct ranks_item){ c->ranks, false, (uint32_t)i, (char *)all[i], sizeof(mine), 0 };
	}
	told = ranks_move(items, 2 * (size_t)n, NCCL_SECONDS);
	for (int i = 0; i < n; i++)
		if (all[i][0] == color) {
			size++;
			rank += all[i][1] < key || (all[i][1] == key && i < me);
		}
	free(items);
	free(all);
	*newcomm = NULL;
	if (!told || color < 0)
		return told ? 0 : SIM_NCCL_REMOTE_ERROR;
	snprintf(name, sizeof(name), "%.90s-%d-%d", ranks_name(c->ranks), c->splits++, color);
	return join(name, size, rank, c->device, newcomm);
}

ncclResult_t do_ncclCommFinalize(ncclComm_t comm)
{
	return 0;
}

ncclResult_t do_ncclCommDestroy(ncclComm_t comm)
{
	struct comm *c = comm;

	if (!c || c->magic != NCCL_COMM)
		return SIM_NCCL_INVALID_ARGUMENT;
	c->magic = 0;
	ranks_leave(c->ranks);
	free(c);
	return 0;
}

ncclResult_t do_ncclCommAbort(ncclComm_t comm)
{
	return do_ncclCommDestroy(comm);
}

/* ---- asking, and memory ---- */

ncclResult_t do_ncclCommCount(const ncclComm_t comm, int *count)
{
	*count = (int)ranks_number(((struct comm *)comm)->ranks);
	return 0;
}

ncclResult_t do_ncclCommUserRank(const ncclComm_t comm, int *rank)
{
	*rank = (int)ranks_rank(((struct comm *)comm)->ranks);
	return 0;
}

ncclResult_t do_ncclCommCuDevice(const ncclComm_t comm, int *device)
{
	*device = ((struct comm *)comm)->device;
	return 0;
}

ncclResult_t do_ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *asyncError)
{
	*asyncError = 0;
	return 0;
}

const char *do_ncclGetErrorString(ncclResult_t result)
{
	return result ? "simulated error" : "no error";
}

const char *do_ncclGetLastError(ncclComm_t comm)
{
	return "";
}

ncclResult_t do_ncclGetVersion(int *version)
{
	*version = 23203;
	return 0;
}

ncclResult_t do_ncclMemAlloc(void **ptr, size_t size)
{
	return cudaMalloc(ptr, size) ? SIM_NCCL_CUDA_ERROR : 0;
}

ncclResult_t do_ncclMemFree(void *ptr)
{
	return cudaFree(ptr) ? SIM_NCCL_CUDA_ERROR : 0;
}

ncclResult_t do_ncclCommRegister(const ncclComm_t comm, void *buff, size_t size, void **handle)
{
	*handle = buff;
	return 0;
}

ncclResult_t do_ncclCommDeregister(const ncclComm_t comm, void *handle)
{
	return 0;
}

ncclResult_t do_ncclCommWindowRegister(ncclComm_t comm, void *buff, size_t size, ncclWindow_t *win, int winFlags)
{
	*win = buff;
	return 0;
}

ncclResult_t do_ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t win)
{
	return 0;
}
