/* nccl.h - what a kernel of libnccl is told. */
#pragma once
#include "tests/sims/cuda/declare.h"
#undef DECLARED
#ifndef RUNTIME_ROWS
#define RUNTIME_ROWS "libcudart.so.13.def"
#endif
#define DECLARED RUNTIME_ROWS
#include "tests/sims/cuda/declare.h"
#include "tests/sims/lib/ranks.h"
#include "tests/sims/lib/sim.h"

#define NCCL_COMM    0x51e1c0a1
#define NCCL_OPS     16
#define NCCL_SECONDS sim_setting("SIM_NCCL_TIMEOUT", 60)

struct comm {
	uint32_t magic;
	int device, splits;
	struct ranks *ranks;
};

enum nccl_kind { NCCL_ALL_REDUCE,
		 NCCL_REDUCE,
		 NCCL_BROADCAST,
		 NCCL_ALL_GATHER,
		 NCCL_REDUCE_SCATTER,
		 NCCL_ALL_TO_ALL,
		 NCCL_GATHER,
		 NCCL_SCATTER,
		 NCCL_SEND,
		 NCCL_RECV };

struct nccl_op {
	enum nccl_kind kind;
	const struct comm *comm;
	char *send, *recv;
	size_t count;
	int type, reduce, root; /* or the peer */
};

struct nccl_job {
	int n;
	const struct nccl_op *more; /* if they do not go in here */
	struct nccl_op ops[NCCL_OPS];
};

void nccl_kernel(void **params, const unsigned int grid[3], const unsigned int block[3]);
