/* hccl.h - collectives and their communicators: HCCL's, LCCL's, and one-sided copies, which have none. */
#pragma once
#include "hooks/ascend/abi/abi.h"
#include "hooks/capture/communicators/communicators.h"

#define NO_COUNT 0 /* an array of counts, or none */
#define NO_TYPE	 -1
#define NO_OP	 -1

/* What a collective is given. */
struct hccl_call {
	void *comm;
	uint64_t count;
	HcclDataType type;
	HcclReduceOp op;
	int64_t peer;
};

extern struct communicators hccl_communicators OURS;

/*
 * DEF_COLLECTIVE id; *bytes: of all elements. Not good: the call failed, the communicator need not be one. Of HCCL's
 * communicators the library is asked, if one was made where we did not look; of LCCL's nobody is.
 */
uint64_t hccl_collective(const struct hccl_call *call, bool good, uint64_t *bytes);
uint64_t lccl_collective(const struct hccl_call *call, bool good, uint64_t *bytes);

/* Of all items together. */
uint64_t hccl_bytes(const HcclSendRecvItem *items, uint32_t count);

uint64_t hccl_met(const HcclRootInfo *root_infos, uint32_t count);
uint64_t hccl_part(HcclComm whole, uint64_t number, const uint32_t *ranks, uint32_t count);

/* One was made, with this rank of so many. */
void hccl_new(HcclComm comm, int64_t rank, uint64_t size, uint64_t group);
void lccl_new(LcalCommPtr comm, int64_t rank, uint64_t size, uint64_t group);

/* DEF_COMMUNICATOR id of one that is known; 0: it is not. */
uint64_t hccl_communicator(const void *comm);
