/*
 * hcomm.c - libhcomm: communicators. Between any two ranks stand a box for each direction; what is larger than a box
 * goes through it in pieces. A rank that waits for a peer longer than SIM_HCCL_TIMEOUT seconds gives up.
 */
#include "tests/sims/ascend/hcomm.h"
#include "tests/sims/ascend/declare.h"
#include "tests/sims/ascend/sim.h"
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BOX  65536
#define ROOT 4108 /* bytes of HcclRootInfo */

struct box {
	_Atomic uint32_t full; /* bytes + 1 */
	char data[BOX];
};

struct shared {
	_Atomic uint32_t here; /* ranks that opened it */
	struct box boxes[];
};

struct hcomm {
	uint32_t ranks, rank;
	char name[128];
	struct shared *shared;
};

static size_t size_of(uint32_t ranks)
{
	return sizeof(struct shared) + (size_t)ranks * ranks * sizeof(struct box);
}

/* ---- moving ---- */

static struct box *box_of(const struct hcomm *c, const struct hcomm_item *item)
{
	uint32_t from = item->way == SIM_HCCL_SEND ? c->rank : item->peer, to = item->way == SIM_HCCL_SEND ? item->peer : c->rank;

	return &c->shared->boxes[from * c->ranks + to];
}

/* As much as fits now; has it got any further? */
static bool advance(const struct hcomm *c, struct hcomm_item *item)
{
	struct box *b = box_of(c, item);
	uint32_t full = atomic_load_explicit(&b->full, memory_order_acquire);
	size_t n = item->size - item->done < BOX ? item->size - item->done : BOX;

	if ((item->way == SIM_HCCL_SEND) == (full != 0))
		return false;
	if (item->way == SIM_HCCL_SEND)
		memcpy(b->data, item->data + item->done, n);
	else
		memcpy(item->data + item->done, b->data, n = full - 1);
	atomic_store_explicit(&b->full, item->way == SIM_HCCL_SEND ? (uint32_t)n + 1 : 0, memory_order_release);
	item->done += n;
	return true;
}

int hcomm_move(HcclComm comm, struct hcomm_item *items, size_t n)
{
	time_t deadline = time(NULL) + sim_setting("SIM_HCCL_TIMEOUT", 60);
	struct timespec moment = { 0, 20000 };
	bool moved = true, left = true;

	while (left) {
		if (!moved && time(NULL) > deadline)
			return SIM_HCCL_E_TIMEOUT;
		if (!moved)
			nanosleep(&moment, NULL);
		moved = left = false;
		for (size_t i = 0; i < n; i++) {
			if (items[i].done < items[i].size)
				moved |= advance(comm, &items[i]);
			left |= items[i].done < items[i].size;
		}
	}
	return 0;
}

uint32_t hcomm_rank(HcclComm comm)
{
	return ((struct hcomm *)comm)->rank;
}

uint32_t hcomm_size(HcclComm comm)
{
	return ((struct hcomm *)comm)->ranks;
}

/* ---- making ---- */

/* Whoever comes last takes the name away. */
static int join(const char *name, uint32_t ranks, uint32_t rank, HcclComm *comm)
{
	struct hcomm *c;
	char path[160];
	int fd;

	if (!comm || !ranks || rank >= ranks)
		return SIM_HCCL_E_PARA;
	snprintf(path, sizeof(path), "/dev/shm/%s", name);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, (off_t)size_of(ranks)))
		return SIM_HCCL_E_SYSCALL;
	c = calloc(1, sizeof(*c));
	*c = (struct hcomm){ .ranks = ranks, .rank = rank };
	snprintf(c->name, sizeof(c->name), "%s", name);
	c->shared = mmap(NULL, size_of(ranks), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (c->shared == MAP_FAILED) {
		free(c);
		return SIM_HCCL_E_SYSCALL;
	}
	if (atomic_fetch_add(&c->shared->here, 1) + 1 == ranks)
		unlink(path);
	*comm = c;
	return 0;
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
	snprintf(name, sizeof(name), "%.100s-%llu", ((struct hcomm *)*comm)->name, (unsigned long long)subCommId);
	return join(name, rankNum, subCommRankId, subComm);
}

HcclResult do_HcclCommDestroy(HcclComm comm)
{
	struct hcomm *c = comm;

	munmap(c->shared, size_of(c->ranks));
	free(c);
	return 0;
}

/* ---- asking ---- */

HcclResult do_HcclGetCommName(HcclComm comm, char *commName)
{
	snprintf(commName, 128, "%s", ((struct hcomm *)comm)->name);
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
		items[i] = (struct hcomm_item){ i < n ? SIM_HCCL_SEND : SIM_HCCL_RECV, i % n, &byte[i / n], 1, 0 };
	rc = hcomm_move(comm, items, 2 * n);
	free(items);
	return rc;
}

HcclResult do_HcclBarrier(HcclComm comm, aclrtStream stream)
{
	return meet(comm);
}
