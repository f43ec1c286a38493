/* rank_stream.h - ranks on their way from a child that has read them to its parent. Both are one program: what is constant is where it was. */
#pragma once
#include <stdio.h>

#include "analysis/why/ranks.h"

struct rank_stream {
	FILE *file;
	struct subjects *subjects;
	size_t count;	   /* of the child's subjects so many were sent: */
	uint32_t *numbers; /* which ones they are among the parent's */
};

/* rank NULL: it was not asked for. */
void rank_stream_put(struct rank_stream *s, const struct why_rank *rank);

/* False: nothing more comes. there: it was asked for, and is in rank. */
bool rank_stream_get(struct rank_stream *s, struct why_rank *rank, bool *there);
