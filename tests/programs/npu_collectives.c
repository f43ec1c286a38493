/*
 * npu_collectives.c - a program on CANN that is all ranks of its communicators. Each word is a move: all:N makes communicators of N ranks, which
 * are those that the words behind it speak of; of:I: those of the I-th all:, from 0; allreduce, allgather call it on each rank's; end ends them; N
 * makes N calls; what stands between fork and join is a forked child's.
 */
#include "tests/lib/told_words.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FP32 4
int HcclCommInitAll(uint32_t ndev, int32_t *devices, void **comms);
int HcclCommDestroy(void *comm);
int HcclAllReduce(void *from, void *to, uint64_t count, int type, int op, void *comm, void *stream);
int HcclAllGather(void *from, void *to, uint64_t count, int type, void *comm, void *stream);
int aclrtSynchronizeDevice(void);
int aclrtCreateStream(void **stream);

#define RANKS 8
static struct world {
	unsigned int ranks;
	void *comms[RANKS], *streams[RANKS];
} worlds[16];
static unsigned int made;
static struct world *here;
static float room[RANKS][RANKS];

static void make(unsigned int ranks)
{
	here = &worlds[made++];
	here->ranks = ranks;
	HcclCommInitAll(ranks, NULL, here->comms);
	for (unsigned int i = 0; i < ranks; i++)
		aclrtCreateStream(&here->streams[i]);
}

static const char *what;

static void *on_one(void *rank)
{
	uintptr_t i = (uintptr_t)rank;

	if (!strcmp(what, "allreduce"))
		HcclAllReduce(room[i], room[i], 1, FP32, 0, here->comms[i], here->streams[i]);
	else if (!strcmp(what, "allgather"))
		HcclAllGather(room[i], room[i], 1, FP32, here->comms[i], here->streams[i]);
	else
		HcclCommDestroy(here->comms[i]);
	return NULL;
}

/* Ranks wait for each other: each has a thread. */
static void on_each(const char *word)
{
	pthread_t threads[RANKS];

	what = word;
	for (uintptr_t i = 0; i < here->ranks; i++)
		pthread_create(&threads[i], NULL, on_one, (void *)i);
	for (unsigned int i = 0; i < here->ranks; i++)
		pthread_join(threads[i], NULL);
}

static void move(char *word, int i)
{
	(void)i;
	if (!strncmp(word, "all:", 4))
		make((unsigned int)atoi(word + 4));
	else if (!strncmp(word, "of:", 3))
		here = &worlds[atoi(word + 3)];
	else if (*word >= '0' && *word <= '9')
		for (long n = atol(word); n > 0; n--)
			aclrtSynchronizeDevice();
	else
		on_each(word);
}

int main(int argc, char **argv)
{
	return tell_words(argc, argv, move);
}
