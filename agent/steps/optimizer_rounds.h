/*
 * optimizer_rounds.h - where steps end if several optimizers step, as those of a GAN do: with the last one of a round.
 *
 * A run is what one optimizer steps in a row, and a round the runs that come again and again: CCCG CCCG are two rounds
 * of two runs. How often others than the last one step may differ from round to round.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define OPTIMIZER_RUNS 2048 /* that are remembered, a power of two: two rounds */

struct optimizer_run {
	uint32_t who, times;
};

/* All zero at first. */
struct optimizer_rounds {
	uint64_t steps;		 /* that have ended */
	uint64_t runs;		 /* so far; run n, from 1 on, stands in run[n % OPTIMIZER_RUNS] */
	uint64_t first_run;	 /* those up to here were a parent's */
	uint32_t period;	 /* runs of a round; 0: not known yet */
	uint32_t optimizers;	 /* of a round, */
	uint64_t last;		 /* the run that ends the present one, */
	uint32_t last_times;	 /* with so many steps, */
	uint32_t longest;	 /* and the longest of its other runs */
	uint64_t old_last;	 /* of the round that was known before: its last run, */
	uint32_t old_period;	 /* and how many it had */
	uint64_t provisional_to; /* step; found out when they had ended, and may be taken back */
	uint32_t looked;	 /* how often a round was looked for: what is above may be another then */
	bool learned;		 /* once */
	bool doubtful;		 /* the present step began, or something in it happened, while no round was known */
	struct optimizer_run run[OPTIMIZER_RUNS];
};

/* What an optimizer's step means. */
struct optimizer_stepped {
	bool ends;	  /* a step ends, */
	bool provisional; /* which is doubtful */
};

/*
 * An optimizer has stepped: number `who` of those that were met, from 1 on in that order. In *step is kept, for each of
 * them, what is 0 at first.
 */
struct optimizer_stepped optimizer_rounds_take(struct optimizer_rounds *r, uint32_t who, uint64_t *step);

/* May it still turn out that steps of the first run were none, for others have steps in the round, too? */
bool optimizer_rounds_unsure(const struct optimizer_rounds *r);

/* In a forked child. */
void optimizer_rounds_forget(struct optimizer_rounds *r);
