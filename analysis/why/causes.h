/* causes.h - a step's excess over its reference, split into causes that add up to it. */
#pragma once
#include "analysis/why/usual.h"

/* How far the amount stands out of what the reference's steps differ by themselves. */
enum confidence { CONFIDENCE_POSSIBLE, /* less than 4 times their spread, or fewer than 3 steps to compare with */
		  CONFIDENCE_LIKELY,
		  CONFIDENCE_CERTAIN }; /* 10 times and more */

extern const char *const confidence_words[CONFIDENCE_CERTAIN + 1];

struct cause {
	enum why_kind kind;
	enum confidence confidence;
	int64_t ns;
	uint32_t subject;	      /* CAUSE_MANY: several, each of which is little */
	int64_t now_ns, reference_ns; /* of the subject, or of all of this kind */
	int64_t now_count, reference_count, now_bytes, reference_bytes;
	uint32_t inside;	      /* name + 1 of the innermost range around its longest piece; 0: none */
	bool early;		      /* that piece's work was given to the device before the step */
	int64_t reference_longest;    /* the median of the reference's longest pieces */
	uint64_t longest, longest_at; /* its longest piece in the step; 0: it has none */
	char *asked;		      /* which lines of the job's code made the calls there; NULL: not known */
};

#define CAUSE_MANY UINT32_MAX

struct causes {
	bool own;	/* waiting for other ranks is no part of it */
	int64_t excess; /* ns; the sum of all */
	int64_t noise;	/* of the reference's lengths */
	int64_t length; /* its median */
	size_t count;
	struct cause *list; /* largest first; what is not explained is one of them */
};

/* Of an excess that is known, as are its noise and the length that it is over; shares: of the step. */
void causes_find(struct causes *c, const struct subjects *subjects, const struct why_step *step, const struct table *shares, const struct usual *usual);
void causes_free(struct causes *c);
