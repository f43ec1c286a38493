/* hcomm.c - libhcomm: communicators. A rank that waits for a peer longer than SIM_HCCL_TIMEOUT seconds gives up. */
#include "tests/sims/ascend/hcomm.h"
#include "tests/sims/ascend/declare.h"
#include "tests/sims/lib/ranks.h"
#include "tests/sims/lib/sim.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOT 4108 /* bytes of HcclRootInfo */

int hcomm_move(HcclComm comm, struct hcomm_item *items, size_t n)
{
	struct ranks_item *moved = calloc(n + 1, sizeof(*moved));
	bool all;

	for (size_t i = 0; i < n; i++)
		moved[i] = (struct ranks_item){ comm, items[i].way == SIM_HCCL_SEND, items[i].peer, items[i].data, items[i].size, 0 };
	all = ranks_move(moved, n, sim_setting("SIM_HCCL_TIMEOUT", 60));
	free(moved);
	return all ? 0 : SIM_HCCL_E_TIMEOUT;
}

uint32_t hcomm_rank(HcclComm comm)
{
	return ranks_rank(comm);
}

uint32_t hcomm_size(HcclComm comm)
{
	return ranks_number(comm);
}

/* ---- making ---- */

static int join(const char *name, uint32_t ranks, uint32_t rank, HcclComm *comm)
{
	if (!comm || !ranks || rank >= ranks)
		return SIM_HCCL_E_PARA;
	*comm = ranks_join(name, ranks, rank);
	return *comm ? 0 : SIM_HCCL_E_SYSCALL;
}

HcclResult do_HcclGetRootInfo(HcclRootInfo *rootInfo)
{
	static _Atomic int number;

	memset(rootInfo, 0, ROOT);
	snprintf(rootInfo, ROOT, "simhccl-%d-%d", getpid(), atomic_fetch_add(&number, 1));
	return 0;
}

HcclResult do_HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank, HcclComm *comm)
{
	return join(rootInfo, nRanks, rank, comm);
}

HcclResult do_HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank, const HcclCommConfig *config,
					 HcclComm *comm)
{
	return join(rootInfo, nRanks, rank, comm);
}

HcclResult do_HcclCommInitRootInfoScalable(uint32_t nRanks, uint32_t nRoot, const HcclRootInfo *rootInfo, uint32_t rank, uint32_t nExtRoot,
					   const HcclCommConfig *config, HcclComm *comm)
{
	return join(rootInfo, nRanks, rank, comm);
}

HcclResult do_HcclCommInitAll(uint32_t ndev, int32_t *devices, HcclComm *comms)
{
	char root[ROOT];
	int rc = do_HcclGetRootInfo(root);

	for (uint32_t i = 0; i < ndev && !rc; i++)
		rc = join(root, ndev, i, &comms[i]);
	return rc;
}

/* The rank table of these libraries: a name and how many ranks there are. */
HcclResult do_HcclCommInitClusterInfo(const char *clusterInfo, uint32_t rank, HcclComm *comm)
{
	FILE *table = fopen(clusterInfo, "r");
	unsigned int ranks = 0;
	char name[64];

	if (!table || fscanf(table, "%63s %u", name, &ranks) != 2)
		ranks = 0;
	if (table)
		fclose(table);
	return join(name, ranks, rank, comm);
}

HcclResult do_HcclCreateSubCommConfig(HcclComm *comm, uint32_t rankNum, uint32_t *rankIds, uint64_t subCommId, uint32_t subCommRankId,
				      HcclCommConfig *config, HcclComm *subComm)
{
	char name[160];

	if (!rankIds) /* a rank that is no part of it */
		return 0;
	snprintf(name, sizeof(name), "%.100s-%llu", ranks_name(*comm), (unsigned long long)subCommId);
	return join(name, rankNum, subCommRankId, subComm);
}

HcclResult do_HcclCommDestroy(HcclComm comm)
{
	ranks_leave(comm);
	return 0;
}

/* ---- asking ---- */

HcclResult do_HcclGetCommName(HcclComm comm, char *commName)
{
	snprintf(commName, 128, "%s", ranks_name(comm));
	return 0;
}

HcclResult do_HcclGetRankId(HcclComm comm, uint32_t *rank)
{
	*rank = hcomm_rank(comm);
	return 0;
}

HcclResult do_HcclGetRankSize(HcclComm comm, uint32_t *rankSize)
{
	*rankSize = hcomm_size(comm);
	return 0;
}

HcclResult do_HcclGetCommAsyncError(HcclComm comm, HcclResult *asyncError)
{
	*asyncError = 0;
	return 0;
}

const char *do_HcclGetErrorString(HcclResult code)
{
	return code ? "failed" : "success";
}

/* Everybody hears from everybody. */
static int meet(HcclComm comm)
{
	uint32_t n = hcomm_size(comm);
	struct hcomm_item *items = calloc(2 * n, sizeof(*items));
	char byte[2] = "";
	int rc;

	for (uint32_t i = 0; i < 2 * n; i++)
		items[i] = (struct hcomm_item){ i < n ? SIM_HCCL_SEND : SIM_HCCL_RECV, i % n, &byte[i / n], 1 };
	rc = hcomm_move(comm, items, 2 * n);
	free(items);
	return rc;
}

HcclResult do_HcclBarrier(HcclComm comm, aclrtStream stream)
{
	return meet(comm);
}
