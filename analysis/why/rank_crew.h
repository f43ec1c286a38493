/* rank_crew.h - processes of a trace are read several at a time, by forks of ours, and come to us in order. */
#pragma once
#include <sys/types.h>

#include "analysis/why/rank_stream.h"

/* Reads the process of that number; false: it was not asked for. */
typedef bool read_rank(void *context, size_t number, struct why_rank *rank);

struct rank_crew {
	size_t count; /* processes; each child has every size-th */
	unsigned int size;
	struct crew_child {
		pid_t pid; /* 0: there is none, or no more */
		struct rank_stream from;
	} * children;
};

/* size: so many at a time; less than 2: there are no children. subjects: none yet; those of the children come to be among them. */
void rank_crew_begin(struct rank_crew *c, unsigned int size, size_t count, read_rank *read, void *context, struct subjects *subjects);

/* The next one, by number from 0. False: its child has it not, and it is to be read here. there: it was asked for. */
bool rank_crew_take(struct rank_crew *c, size_t number, struct why_rank *rank, bool *there);
void rank_crew_end(struct rank_crew *c);
