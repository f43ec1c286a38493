/* clock.h - what streams, events and graphs know of each other. */
#pragma once
#include "tests/sims/ascend/sim.h"
#include <pthread.h>

/* A recorded piece of work: a task whose arguments are ours. */
struct node {
	struct sim_task task;
	struct node *next;
};

struct graph {
	uint32_t magic;
	struct node *first, **last;
};

struct stream {
	uint32_t magic;
	int number, device;
	uint64_t now;		/* when its work so far is done, in ns of the device's clock */
	uint64_t records, done; /* events recorded in it; up to which one they are known to be complete */
	struct graph *graph;	/* it is being captured */
	pthread_mutex_t order;	/* work of one stream does not overlap */
	struct stream *next;
};

struct event {
	uint32_t magic;
	unsigned int flag, asked;
	struct graph *graph; /* recorded in a capture */
	struct stream *stream;
	uint64_t ns, record; /* the how manyth of its stream; 0: it was never recorded */
};

void sim_catch_up(struct stream *s); /* with the host's clock, if it is to */
extern pthread_mutex_t sim_lock;     /* over all lists and clocks */

struct stream *sim_stream(void *stream);	   /* NULL is the device's own */
void sim_stream_detach(const struct graph *graph); /* its capture has ended, on all streams that joined it */
