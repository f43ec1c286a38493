/* hccl.h - collectives and their communicators. */
#pragma once
#include "hooks/ascend.h"

#define NO_COUNT 0 /* an array of counts, or none */
#define NO_TYPE	 -1
#define NO_OP	 -1
#define NO_PEER	 -1

/* What a collective is given. */
struct hccl_call {
	HcclComm comm;
	uint64_t count;
	HcclDataType type;
	HcclReduceOp op;
	int64_t peer;
};

/* DEF_COLLECTIVE id; *bytes: of all elements. Not good: the call failed, the communicator need not be one. */
uint64_t hccl_collective(const struct hccl_call *call, bool good, uint64_t *bytes);

/* A communicator was made, with this rank of so many; root_info: where its ranks meet, NULL: not told. */
void hccl_new(HcclComm comm, int64_t rank, uint64_t size, const HcclRootInfo *root_info);
void hccl_new_all(const HcclComm *comms, uint32_t count); /* all ranks are in this process */
void hccl_end(HcclComm comm);				  /* before the real end */

/* DEF_COMMUNICATOR id of one that is known; 0: it is not. */
uint64_t hccl_communicator(HcclComm comm);
