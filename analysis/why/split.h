/* split.h - a step's time, each ns of it on one thing: what the device did, or, where it waited, what the host did. */
#pragma once
#include "analysis/why/activity.h"

/* What one step spent on one subject. The ns of all of a step are its length. Work that reaches into a step is counted there, too. */
struct share {
	uint64_t ns, count, bytes;    /* count: how many there were in it */
	uint64_t longest, longest_at; /* its longest piece: ns, and when that began */
	uint64_t first_at;	      /* when its first piece began, if it has any */
	uint32_t subject, inside;     /* inside: name + 1 of the innermost range around that longest piece; 0: none */
	bool early;		      /* of work: that piece's was given to the device before the step */
	bool first;		      /* a call that names a kernel which was not there before */
};

/*
 * A piece of a step that a collective fills: waiting until its last rank comes, and from then on what it is told as. by_host: the call is
 * looked at, not its work on the device.
 */
struct meeting_piece {
	uint64_t meeting, arrived; /* when this rank began it */
	uint64_t begin, end;
	uint64_t came;	     /* when its last rank came, within the piece, */
	uint32_t last, wait; /* which one that is, in run->ranks, and the subject of waiting, if any: set by meetings_share(), all three */
	uint32_t subject;    /* of the transfer, or the call */
	bool by_host;
};

/* A collective that begins in a step, whether it fills a piece of that or something else does. */
struct meeting_time {
	uint64_t meeting, arrived, left; /* when this rank began it, and when it ended there */
	bool by_host;			 /* the call */
};

struct split {
	struct table shares; /* struct share by subject */
	size_t meeting_count, meeting_capacity;
	struct meeting_piece *meetings; /* not among the shares yet */
	size_t time_count, time_capacity;
	struct meeting_time *times; /* by when they began */
};

/* by_device: its work has device times. */
void split_make(struct split *s, const struct activity *a, struct subjects *subjects, uint64_t begin, uint64_t end, bool by_device);

struct share *split_add(struct table *shares, uint32_t subject, uint64_t begin, uint64_t end);
void split_free(struct split *s);
