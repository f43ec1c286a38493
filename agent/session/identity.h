/* identity.h - which rank this process is, and how we know. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "config/selection.h"

struct identity {
	_Atomic int64_t rank;		   /* -1: unknown */
	const char *rank_source;	   /* variable it came from; "" while unknown */
	_Atomic int64_t local_rank, world; /* -1: unknown */
	_Atomic int64_t replica;	   /* of a rollout; -1: unknown */
	char worker_group[128];		   /* of several whose ranks count from 0 each; "": none is known */
	char command[128];		   /* name of the program, for people */
};
extern struct identity identity;

/* Reads the environment (again). Program threads only: setenv() is not thread safe. True if rank is known. */
bool identity_read(void);

#define IDENTITY_INFERRED "communicator (inferred)" /* source of a rank that a communicator told */

/* Somebody else knows the rank, where no variable does. source: a constant. */
void identity_told(int64_t rank, const char *source);

/*
 * A communicator has been made in which this process is this rank of so many. If no variable tells the rank, and that is how large the world
 * is, which a variable has to tell, it is the process's: true.
 */
bool identity_told_world(int64_t rank, int64_t size);

/* Does it come from a variable that is another launcher's, maybe, and can a better one still come? */
bool identity_may_change(void);

/* The first step has ended, or begun: what is known now stays. */
void identity_settle(void);

/* What becomes of what these ranks are recorded for, as far as ours is known. */
enum verdict { VERDICT_WAIT,
	       VERDICT_WRITE,
	       VERDICT_DISCARD };
enum verdict identity_verdict(const struct selection *ranks);

/* Which replica of a rollout this process is, where no variable tells it; what it starts is of the same. */
void identity_told_replica(int64_t replica);

/* The variable that should tell a rank and does not, with what it says; NULL: there is none. */
const char *identity_refused(const char **text);

/* Puts what is known into the session and, when it became known, into the definitions. */
void identity_publish(void);
