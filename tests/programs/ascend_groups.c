/*
 * ascend_groups.c - one of three ranks: groups of ranks, batches, collectives beside HCCL's, one-sided copies.
 * RANK=n ascend_groups ROOTS TABLE: a file of three root infos, and one that says which ranks there are.
 */
#include "hooks/ascend/abi/abi.h"
#include <stdio.h>
#include <stdlib.h>

#define HOOK(ret, sym, params, ...)	 ret sym params;
#define HOOK_VOID(sym, params, ...)	 void sym params;
#define HOOK_PTR0(ret, sym, params, ...) ret sym params;
#include "hooks/ascend/acl.def"
#include "hooks/ascend/hccl/hccl.def"
#include "hooks/ascend/hccl/lccl.def"
#include "hooks/ascend/hccl/shmem.def"

#define RANKS 3
#define ROOT  4108

static void must(int rc, const char *what)
{
	if (!rc)
		return;
	printf("%s: %d\n", what, rc);
	exit(1);
}
#define OK(call) must(call, #call)

static char roots[3 * ROOT];

static void read_roots(const char *path)
{
	FILE *f = fopen(path, "r");

	must(!f || fread(roots, sizeof(roots), 1, f) != 1, "the root infos");
	fclose(f);
}

/* Ranks 0 and 2 are a part; the third says that it is none, and has no place for one. */
static void make_part(HcclComm world, uint32_t rank)
{
	uint32_t ranks[] = { 0, 2 };
	float mine[4] = { 1 }, sum[4];
	HcclComm part;

	if (rank == 1) {
		OK(HcclCreateSubCommConfig(&world, 2, NULL, 0xffffffff, 0, NULL, NULL));
		return;
	}
	OK(HcclCreateSubCommConfig(&world, 2, ranks, 7, rank / 2, NULL, &part));
	OK(HcclAllReduce(mine, sum, 4, HCCL_DATA_TYPE_FP32, 0, part, NULL));
	printf("sum %g\n", (double)sum[0]);
	OK(HcclCommDestroy(part));
}

static void batches(HcclComm world, uint32_t rank)
{
	float mine[6] = { 0 }, from_before[6];
	HcclSendRecvItem items[] = { { 0, mine, 6, HCCL_DATA_TYPE_FP32, (rank + 1) % RANKS },
				     { 1, from_before, 6, HCCL_DATA_TYPE_FP32, (rank + 2) % RANKS } };
	char from[3][16] = { "a", "b", "c" }, to[3][16];
	void *places[] = { to[0], to[1], to[2] }, *sources[] = { from[0], from[1], from[2] };
	size_t sizes[] = { 16, 8, 4 }, failed;

	OK(HcclBatchSendRecv(items, 2, world, NULL));
	OK(aclrtMemcpyBatch(places, sizes, sources, sizes, 3, NULL, NULL, 0, &failed));
}

static void beside_hccl(uint32_t rank)
{
	float mine[5] = { 0 }, others[5];
	LcalCommPtr comm;
	void *shared;

	OK(LcalCommInit((int)rank, RANKS, &comm));
	OK(LcclAllReduce(mine, others, 5, HCCL_DATA_TYPE_FP32, 2, comm, NULL));
	OK(LcclBroadcast(mine, 5, HCCL_DATA_TYPE_FP32, 1, comm, NULL));
	OK(LcclCommDestroy(comm));
	shared = aclshmem_malloc(64);
	must(!shared, "shared memory");
	aclshmemx_putmem_on_stream(shared, mine, sizeof(mine), 2, NULL);
	aclshmem_free(shared);
}

int main(int argc, char **argv)
{
	uint32_t rank = (uint32_t)atoi(argc > 3 ? argv[3] : getenv("RANK"));
	HcclComm world, scalable, table, here[2];

	must(argc < 3, "arguments");
	read_roots(argv[1]);
	OK(HcclCommInitRootInfo(RANKS, (HcclRootInfo *)roots, rank, &world));
	OK(HcclCommInitRootInfoScalable(RANKS, 2, (HcclRootInfo *)(roots + ROOT), rank, 0, NULL, &scalable));
	OK(HcclCommInitClusterInfo(argv[2], rank, &table));
	OK(HcclCommInitAll(2, NULL, here));
	make_part(world, rank);
	batches(world, rank);
	beside_hccl(rank);
	return 0;
}
