/* nccl.h - what NCCL says of communicators and collectives, in the words of hooks/capture/communicators. */
#pragma once
#include "hooks/capture/communicators/communicators.h"
#include "hooks/capture/pairs/vendor_times.h"
#include "hooks/cuda/nccl/abi.h"

#define NO_TYPE	     -1
#define NO_REDUCTION -1

extern struct handles nccl_memory OURS;

/*
 * Libraries of more than one vendor have these functions, each for the streams of its own. By a function of the library: the times of
 * these streams, and its communicators.
 */
struct vendor_times *nccl_times(const void *real);
struct communicators *nccl_communicators(const void *real);

/* A session has begun: all vendors are there. */
void nccl_started(void);

/* The group of who meets by these ids; of those that part from a communicator. */
uint64_t nccl_met(const ncclUniqueId *ids, int count);
uint64_t nccl_part(struct communicators *of, ncclComm_t whole, int number, const int *ranks, int count);

void nccl_new(struct communicators *of, ncclComm_t comm, int rank, int size, uint64_t group);

/* DEF_COLLECTIVE id; *bytes: of all elements. Not good: the call failed. */
struct nccl_call {
	ncclComm_t comm;
	uint64_t count;
	ncclDataType_t type;
	ncclRedOp_t op;
	int64_t peer;
};
uint64_t nccl_collective(struct communicators *of, const struct nccl_call *call, bool good, uint64_t *bytes);

/*
 * Groups of a thread: between ncclGroupStart() and the outermost ncclGroupEnd() collectives are only queued, and that one starts them.
 * So a stream's events belong around it.
 */
void nccl_group_starts(void);
bool nccl_in_group(void);		    /* does this thread queue? */
void nccl_queued(cudaStream_t stream);	    /* it has, something for this stream */
bool nccl_group_ends(cudaStream_t *stream); /* before the end. True: it starts what was queued, the last for this stream */
