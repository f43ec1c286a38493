/* made_rank.h - what a rank of made_run.c does in a step, and its trace of that. */
#pragma once
#include "tests/lib/small_traces.h"

enum { MATMUL,
       NORM,
       RELU,
       ADD,
       ADAM,
       EXTRA, /* which is launched by more:extra only */
       KERNELS };

/* What a rank does in a step. */
struct day {
	struct {
		uint64_t ns, launches;
		bool other_sizes;
	} kernels[KERNELS];
	uint64_t pause, call, alloc, build, idle, transfer, copy, copying, copies, memory, pool, range, ahead, lost, skip, still, held;
};

/* All of them, as the words of the run have it. */
struct made {
	const char *names[KERNELS];
	bool renamed[KERNELS], host, open, exact, meet, pairs, level0, stacks, operators;
	unsigned int steps, ranks, world, kinds;
	uint64_t kept_bytes;
};
extern struct made made;
extern const struct day usual;

struct rank {
	struct maker maker;
	struct event *events;
	size_t count, capacity;
	unsigned int number;
	uint64_t state, slot, calls, dropped, begin, now;
	struct day day; /* of this step */
};

/* day is that of the first step. */
void rank_begin(struct rank *r, unsigned int number, uint64_t seed, const char *folder);
void rank_begin_step(struct rank *r, unsigned int step);

/* Ranks first to last begin their n-th collective of the step, and end it together. */
void ranks_meet(struct rank *all, unsigned int first, unsigned int last, uint64_t id);
void rank_end_step(struct rank *r, unsigned int step);
void rank_end(struct rank *r);
