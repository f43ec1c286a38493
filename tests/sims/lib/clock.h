/* clock.h - what streams, events and graphs know of each other. */
#pragma once
#include "tests/sims/lib/sim.h"
#include <pthread.h>

/* A recorded piece of work: a task whose arguments are ours. */
struct node {
	struct sim_task task;
	struct graph *child, *owner;
	bool disabled; /* of an executable one: it does nothing */
	void *kept;    /* what was told of it last; of a vendor */
	struct node *next;
};

struct graph {
	uint32_t magic;
	struct node *first, **last;

	/* Of those vendors whose captures may go wrong. */
	struct stream *origin;
	int mode;
	long thread; /* that began it */
	uint64_t id;
	bool invalid;
	struct graph *next; /* of those that are being captured */
};

struct stream {
	uint32_t magic;
	int number, device;
	uint64_t now;		/* when its work so far is done, in ns of the device's clock */
	struct stream *legacy;	/* it begins nothing before the work of this one is done, and the other way round; or NULL */
	uint64_t tail, joined;	/* how much of it was captured, and how much of that other streams wait for */
	uint64_t records, done; /* events recorded in it; up to which one they are known to be complete */
	struct graph *graph;	/* it is being captured */
	struct entry *queue;	/* what has no times yet (queue.h) */
	pthread_mutex_t order;	/* work of one stream does not overlap */
	struct stream *next;
};

struct event {
	uint32_t magic;
	unsigned int flag, asked;
	struct graph *graph; /* recorded in a capture */
	struct stream *stream;
	uint64_t tail;	     /* ... after so much of the stream's work */
	uint64_t ns, record; /* the how manyth of its stream; 0: it was never recorded */
	unsigned int queued; /* so many records of it have no times yet */
	void *context;	     /* in which it was made, and when; of those vendors that have such */
	unsigned int life;
};

void sim_catch_up(struct stream *s); /* with the host's clock, if it is to, and with the streams that it waits for */
extern pthread_mutex_t sim_lock;     /* over all lists and clocks */
extern struct stream *sim_streams;   /* those that live */

struct stream *sim_stream(void *stream);				      /* NULL is the device's own */
struct node *sim_graph_add(struct graph *graph, const struct sim_task *task); /* with a copy of the arguments */
bool sim_capture_joined(const struct graph *graph);			      /* does its origin wait for all that was captured? */
void sim_stream_detach(const struct graph *graph);			      /* its capture has ended, on all streams that joined it */
