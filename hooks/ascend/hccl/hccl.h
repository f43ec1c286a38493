/* hccl.h - collectives and their communicators: HCCL's, LCCL's, and one-sided copies, which have none. */
#pragma once
#include "agent/steps/source_collective.h"
#include "hooks/ascend/tracking/tracking.h"

#define NO_COUNT 0 /* an array of counts, or none */
#define NO_TYPE	 -1
#define NO_OP	 -1
#define NO_PEER	 -1

/* What a collective is given. */
struct hccl_call {
	void *comm;
	uint64_t count;
	HcclDataType type;
	HcclReduceOp op;
	int64_t peer;
};

/*
 * DEF_COLLECTIVE id; *bytes: of all elements. Not good: the call failed, the communicator need not be one. Of HCCL's
 * communicators the library is asked, if one was made where we did not look; of LCCL's nobody is.
 */
uint64_t hccl_collective(const struct hccl_call *call, bool good, uint64_t *bytes);
uint64_t lccl_collective(const struct hccl_call *call, bool good, uint64_t *bytes);

/* The program has called it: tells a collective: step source. may_ask: of a communicator that nobody knows the library is asked. */
void hccl_tick(const char *name, void *comm, bool may_ask);

/* Of all items together. */
uint64_t hccl_bytes(const HcclSendRecvItem *items, uint32_t count);

/* ---- groups: one number on all ranks of a communicator, made of what they were given to meet ---- */

#define NO_GROUP 0 /* that is not told */
#define BY_NAME	 1 /* the library's name for it is the same everywhere */
uint64_t hccl_met(const HcclRootInfo *root_infos, uint32_t count);
uint64_t hccl_part(HcclComm whole, uint64_t number, const uint32_t *ranks, uint32_t count);
uint64_t hccl_named(const char *name);

/* ---- communicators ---- */

/* One was made, with this rank of so many. */
void hccl_new(HcclComm comm, int64_t rank, uint64_t size, uint64_t group);
void lccl_new(LcalCommPtr comm, int64_t rank, uint64_t size, uint64_t group);

/* All ranks are in this process, on these devices; NULL: on those numbered from 0. */
void hccl_new_all(const HcclComm *comms, const int32_t *devices, uint32_t count);
void lccl_new_all(const LcalCommPtr *comms, const int32_t *devices, uint32_t count);

void hccl_end(void *comm); /* before the real end */

/* DEF_COMMUNICATOR id of one that is known; 0: it is not. */
uint64_t hccl_communicator(void *comm);
