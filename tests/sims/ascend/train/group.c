/* group.c - the collectives of a step: one of each kind on floats. */
#include "tests/sims/ascend/train/work.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COUNT 40000 /* more than fits into one piece */
#define ROOT  4108

static HcclComm comm;
static uint32_t rank, ranks = 1;
static float *sent, *received; /* memory of the device: ranks * COUNT */

static uint32_t variable(const char *name, uint32_t otherwise)
{
	return getenv(name) ? (uint32_t)atoi(getenv(name)) : otherwise;
}

/* As a store does it: rank 0 leaves the root info in a file, the others wait for it. */
static void exchange(char *root)
{
	const char *path = getenv("TRAIN_ROOT");
	char new[1024];
	FILE *f = NULL;

	if (ranks == 1)
		return;
	snprintf(new, sizeof(new), "%s.new", path);
	if (!rank) {
		f = fopen(new, "w");
		fwrite(root, ROOT, 1, f);
		fclose(f);
		rename(new, path);
		return;
	}
	for (time_t end = time(NULL) + 60; !f && time(NULL) < end; usleep(1000))
		f = fopen(path, "r");
	check(f && fread(root, ROOT, 1, f) == 1 ? 0 : 1, "the root info's file", 0);
	fclose(f);
}

void group_start(void)
{
	char root[ROOT] = "";

	rank = variable("RANK", 0);
	ranks = variable("WORLD_SIZE", 1);
	if (!rank)
		OK(HcclGetRootInfo, root);
	exchange(root);
	OK(HcclCommInitRootInfo, ranks, root, rank, &comm);
	OK(aclrtMallocAlign32, (void **)&sent, ranks * COUNT * 4, 0);
	OK(aclrtMallocAlign32, (void **)&received, ranks * COUNT * 4, 0);
}

static void collect(struct request *r)
{
	OK(HcclAllReduce, sent, received, COUNT, SIM_HCCL_DATA_TYPE_FP32, SIM_HCCL_REDUCE_SUM, comm, r->stream);
	OK(HcclBroadcast, sent, COUNT, SIM_HCCL_DATA_TYPE_FP32, 0, comm, r->stream);
	OK(HcclReduceScatter, received, sent, COUNT / ranks, SIM_HCCL_DATA_TYPE_FP32, SIM_HCCL_REDUCE_MAX, comm, r->stream);
	OK(HcclAllGather, sent, received, COUNT / ranks, SIM_HCCL_DATA_TYPE_FP32, comm, r->stream);
	OK(HcclBarrier, comm, r->stream);
}

void group_collectives(int step)
{
	float first, last;

	for (uint32_t i = 0; i < COUNT; i++)
		sent[i] = (float)(step + (int)rank + (int)i % 7);
	queue_push(&(struct request){ .second = collect, .stream = op_stream });
	queue_drain();
	OK(aclrtMemcpy, &first, 4, received, 4, ACL_MEMCPY_DEVICE_TO_HOST);
	OK(aclrtMemcpy, &last, 4, received + COUNT - 1, 4, ACL_MEMCPY_DEVICE_TO_HOST);
	printf("collectives %d %g %g\n", step, (double)first, (double)last);
}

void group_end(void)
{
	OK(HcclCommDestroy, comm);
	OK(aclrtFree, sent);
	OK(aclrtFree, received);
}
