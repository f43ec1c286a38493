/* recover.h - what a dead process left in tmpfs, into its trace file. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/session/sessions.h"

/* A thread that is (or died) inside a recorded call. */
struct recovered_call {
	uint32_t tid;
	char hook[96];
	double seconds; /* since it entered; negative: cannot be told */
};

/* How a process ended whose files somebody else completes. */
#define RECOVERED_KILLED "ended without its exit handlers (killed, or _exit)"
#define RECOVERED_LEFT	 "ended before all was written"
#define RECOVERED_REASON "left" /* of a file's end, instead of "recovered", for the latter */

static inline const char *recovered_ending(bool left)
{
	return left ? RECOVERED_LEFT : RECOVERED_KILLED;
}

/* What is said of calls and buffers that ended with a process. */
#define RECOVERED_GONE	  "waited in buffers that found no room in /dev/shm, and ended with the process: give a larger /dev/shm"
#define RECOVERED_BUFFERS "found no room in /dev/shm and ended with the process: calls are lost, and it is not known how many; " \
			  "give a larger /dev/shm"

#define RECOVERED_WAITED "waited in memory for the rank, which was not known when the process ended"

struct recovered {
	bool live;		   /* the process runs: nothing was touched */
	bool busy;		   /* somebody else is recovering it just now */
	uint64_t events;	   /* saved from the rings now, or of recover_inspect(): waiting there */
	uint64_t entered, dropped; /* calls since the process began */
	uint64_t waited;	   /* of those dropped: the rank was not known yet, and it ended */
	uint64_t gone;		   /* of those dropped: waited in memory that was not in tmpfs, and ended with it */
	uint64_t lost_buffers;	   /* rings that ended with it, calls and counts and all */
	uint64_t bad;		   /* rings and definitions that make no sense and were left out */
	char file[1100];	   /* the whole trace file; empty: there was nothing to write */
	size_t call_count;
	struct recovered_call *calls; /* freed by recovered_free() */
};

void recovered_free(struct recovered *result);

/* The calls that its threads are in, and what recover_session() would save; nothing is touched. 0 or a negative errno. */
int recover_inspect(const struct session_entry *e, struct recovered *result);

/*
 * Completes the trace file of a dead process and deletes its session. dir is a session of this user
 * under sessions_root(). Safe to run again after an interruption. 0, or a negative errno: then the
 * session is still there.
 */
int recover_session(const char *dir, struct recovered *result);
