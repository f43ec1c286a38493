/*
 * communicators.h - communicators of whichever vendor: what is told of them, and collectives that they are given. A vendor has
 * a struct communicators, and says what it asks its library.
 */
#pragma once
#include "agent/format/trace_file.h"
#include "agent/record/handles.h"
#include "agent/steps/source_collective.h"
#include "hooks/capture/streams/contexts.h"

#define NAME_BYTES	128 /* of a communicator */
#define THREAD_S_DEVICE -1  /* made for the device that the thread is on */

/* What is known of one when it is made. */
struct communicator {
	int32_t rank;	/* negative: it is asked for */
	uint32_t size;	/* 0: it is asked for */
	uint64_t group; /* see below */
	int32_t device; /* the vendor's number, or THREAD_S_DEVICE */
	bool alone;	/* it was not made with others of its group, by one call of one thread */
};

struct communicators {
	/* What the program did not say, and a name, up to NAME_BYTES. */
	void (*ask)(void *comm, struct communicator *known, char *name);
	const struct streams *streams; /* whose devices they are for */
	struct handles ids;	       /* a = DEF_COMMUNICATOR id, b = generation of the session */
	struct handles groups;	       /* a = group, b = ranks */
};

/* ---- groups: one number on all ranks of a communicator, made of what they were given to meet ---- */

#define NO_GROUP 0 /* that is not told */
#define BY_NAME	 1 /* the library's name for it is the same everywhere */
uint64_t communicators_met(const void *bytes, size_t size);
uint64_t communicators_part(struct communicators *of, const void *whole, uint64_t number, const uint32_t *ranks, uint32_t count);
uint64_t communicators_named(const char *name);

/* ---- communicators ---- */

/* One was made. may_ask: its library answers questions about it. */
void communicators_new(struct communicators *of, void *comm, struct communicator known, bool may_ask);

/* All ranks are in this process, on these devices; NULL: on those numbered from 0. */
void communicators_new_all(struct communicators *of, void *const *comms, const int32_t *devices, uint32_t count, bool may_ask);

void communicators_end(struct communicators *of, void *comm); /* before the real end */

/* DEF_COMMUNICATOR id of one that is known; 0: it is not. */
uint64_t communicators_id(struct communicators *of, const void *comm);

/* ---- collectives ---- */

#define NO_PEER -1

/* What one is given. */
struct collective {
	void *comm;
	uint64_t count;
	uint32_t type, reduction; /* DATA_*, REDUCE_* */
	int64_t peer;
};

/*
 * DEF_COLLECTIVE id; *bytes: of all elements. Not good: the call failed, the communicator need not be one. One that was made where we did
 * not look is told now.
 */
uint64_t communicators_collective(struct communicators *of, const struct collective *call, bool good, bool may_ask, uint64_t *bytes);

/* The program has called it: tells a collective: step source. may_ask: of a communicator that nobody knows the library is asked. */
void communicators_tick(struct communicators *of, const char *name, void *comm, bool may_ask);

/* Of an element. */
unsigned int communicators_bits(uint32_t type);
