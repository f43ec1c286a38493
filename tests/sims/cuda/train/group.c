/*
 * group.c - the collectives of a step: one of each kind on floats, two of them in a group, and a ring of sends and receives.
 * RANK, WORLD_SIZE, TRAIN_ROOT: a file in which rank 0 leaves the id.
 */
#include "tests/sims/cuda/train/group.h"
#include "tests/sims/cuda/train/called.h"
#include "tests/sims/cuda/train/gpu.h"
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define FLOATS 40000 /* more than fits into one piece */

static ncclComm_t comm, half;
static int rank, ranks = 1;
static float *sent, *received; /* memory of the device: ranks * FLOATS */

static int variable(const char *name, int otherwise)
{
	return getenv(name) ? atoi(getenv(name)) : otherwise;
}

/* As a store does it: rank 0 leaves the id in a file, the others wait for it. */
static void exchange(ncclUniqueId *id)
{
	const char *path = getenv("TRAIN_ROOT");
	char new[1024];
	FILE *f = NULL;

	if (ranks == 1)
		return;
	snprintf(new, sizeof(new), "%s.new", path);
	if (!rank) {
		f = fopen(new, "w");
		fwrite(id, sizeof(*id), 1, f);
		fclose(f);
		rename(new, path);
		return;
	}
	for (time_t end = time(NULL) + 60; !f && time(NULL) < end; usleep(1000))
		f = fopen(path, "r");
	check(f && fread(id, sizeof(*id), 1, f) == 1 ? 0 : 1, "the id's file", 0);
	fclose(f);
}

void group_start(void)
{
	ncclUniqueId id;

	rank = variable("RANK", 0);
	ranks = variable("WORLD_SIZE", 1);
	if (!rank)
		OK(ncclGetUniqueId, &id);
	exchange(&id);
	OK(ncclCommInitRank, &comm, ranks, id, rank);
	OK(ncclCommSplit, comm, rank % 2, rank, &half, NULL);
	sent = gpu_alloc((size_t)ranks * FLOATS * 4);
	received = gpu_alloc((size_t)ranks * FLOATS * 4);
	gpu_fill(received, 0, (size_t)ranks * FLOATS * 4, NONE);
}

void group_collectives(int step)
{
	void *stream = gpu_stream(OWN);
	float first, last;

	for (int i = 0; i < ranks * FLOATS; i++)
		sent[i] = (float)(step + rank + i % 7);
	OK(ncclAllReduce, sent, received, FLOATS, SIM_NCCL_FLOAT, SIM_NCCL_SUM, comm, stream);
	OK(ncclBcast, sent, FLOATS, SIM_NCCL_FLOAT, 0, comm, stream);
	OK(ncclBroadcast, received, received, FLOATS, SIM_NCCL_FLOAT, ranks - 1, comm, stream);
	OK(ncclGroupStart);
	OK(ncclReduce, received, sent, FLOATS, SIM_NCCL_FLOAT, SIM_NCCL_AVG, 0, comm, stream);
	OK(ncclReduceScatter, received, sent, FLOATS / (size_t)ranks, SIM_NCCL_FLOAT, SIM_NCCL_MAX, comm, stream);
	OK(ncclGroupEnd);
	OK(ncclAllGather, sent, received, FLOATS / (size_t)ranks, SIM_NCCL_FLOAT, comm, stream);
	OK(ncclAlltoAll, received, sent, FLOATS, SIM_NCCL_FLOAT, comm, stream);
	OK(ncclGroupStart);
	OK(ncclSend, received, FLOATS, SIM_NCCL_FLOAT, (rank + 1) % ranks, comm, stream);
	OK(ncclRecv, sent, FLOATS, SIM_NCCL_FLOAT, (rank + ranks - 1) % ranks, comm, stream);
	OK(ncclGroupEnd);
	OK(ncclAllReduce, sent, received, FLOATS, SIM_NCCL_FLOAT, SIM_NCCL_SUM, half, stream);
	gpu_out(&first, received, 4);
	gpu_out(&last, received + FLOATS - 1, 4);
	printf("collectives %d %g %g\n", step, (double)first, (double)last);
}

void group_end(void)
{
	OK(ncclCommDestroy, half);
	OK(ncclCommDestroy, comm);
	gpu_free(sent);
	gpu_free(received);
}
