/* usual.h - what the steps of a reference spent on each subject. Steps come one at a time, so that not all need be opened at once. */
#pragma once
#include "analysis/why/reference.h"

/* A subject, and where its pieces are: one of each step that has it, chained. */
struct usual_subject {
	uint32_t subject, first, last; /* numbers of pieces */
	size_t steps;
	bool there; /* in one of them at least, and not only a part of what began before it */
};

struct usual_piece {
	uint32_t step, next;
	uint64_t ns, count, bytes, longest;
};

struct usual {
	size_t count;	       /* of steps */
	struct table subjects; /* struct usual_subject by subject, in order of arrival */
	size_t piece_count, piece_capacity;
	struct usual_piece *pieces;
};

#define USUAL ((struct usual){ .subjects = TABLE(struct usual_subject) })

/* The next step's. */
void usual_add(struct usual *u, const struct table *shares);

/* What the steps spent on a subject. */
struct usual_share {
	struct spread ns;
	int64_t count, bytes, longest; /* medians; longest: of the longest pieces, ns */
	bool there;
};

/* values: room for u->count. */
struct usual_share usual_share(const struct usual *u, uint32_t subject, int64_t *values);
void usual_free(struct usual *u);
