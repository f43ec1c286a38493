/* rows.h - what is compared with what: a row is something that steps spend time on, as each side calls it. */
#pragma once
#include "analysis/compare/sides.h"

/* By what a row's two sides were found to be the same. */
enum joined { JOINED_NOT, /* it is on one side only */
	      JOINED_SIZES,
	      JOINED_NAME,
	      JOINED_ROLE,
	      JOINED_REST, /* all else of its kind, which few steps of either side have */
	      JOINED_TOTAL /* what all rows lack of the median step */
};

#define COUNT_UNIT 1000 /* what is there in every other step is there 500 times */

/* Of a row on one side: means of the steps in the middle. */
struct row_side {
	bool there;	  /* a tenth of the steps have it, or more */
	bool many;	  /* several sizes */
	uint32_t subject; /* in rows->names: what it is called */
	int64_t ns, noise;
	int64_t count; /* in COUNT_UNITs */
	double first;  /* where in the step it begins first: 0 at its begin, 1 at its end; in the mean */
};

struct row {
	enum why_kind kind;
	enum joined joined;
	struct row_side sides[SIDES];
	int64_t change; /* ns: B's less A's */
	bool beyond_noise;
};

struct rows {
	struct subjects names;	  /* of both sides */
	uint32_t *name_of[SIDES]; /* by subject of the side's run */
	uint32_t *row_of;	  /* by name */
	size_t count, capacity;
	struct row *list;
};

/* Of the same name and sizes; of what is left of a name, whatever the sizes; and of what is left of a kind. No numbers yet. */
void rows_make(struct rows *r, const struct side sides[SIDES]);

static inline struct row *rows_row(const struct rows *r, unsigned int side, uint32_t subject)
{
	return &r->list[r->row_of[r->name_of[side][subject]]];
}
void rows_free(struct rows *r);
