/* hcomm.h - communicators (tests/sims/lib/ranks.h). */
#pragma once
#include "tests/sims/lib/sim.h"

/* One piece that goes to, or comes from, another rank (or oneself). */
struct hcomm_item {
	int way; /* SIM_HCCL_SEND, SIM_HCCL_RECV */
	uint32_t peer;
	char *data;
	size_t size;
};

#pragma GCC visibility push(default)
uint32_t hcomm_rank(HcclComm comm);
uint32_t hcomm_size(HcclComm comm);
int hcomm_move(HcclComm comm, struct hcomm_item *items, size_t n); /* all of them at once */
#pragma GCC visibility pop
