/* choice.h - --steps and --ranks of the commands that read traces. */
#pragma once
#include "analysis/trace/trace.h"
#include "config/selection.h"

struct choice {
	struct selection steps, ranks;
};

#define CHOICE_ALL ((struct choice){ .steps = { .all = true }, .ranks = { .all = true } })

/* Processes of an unknown rank are in only where all are. */
bool choice_has_rank(const struct choice *c, bool has_rank, int64_t rank);

static inline bool choice_has_step(const struct choice *c, int64_t step)
{
	return c->steps.all || selection_has(&c->steps, step);
}

/* Complains: that no process there is of these ranks, that nothing is of these steps, and what is. Sorts the steps. */
void choice_no_rank(const struct trace *t);
void choice_no_step(int64_t *steps, size_t count);

/* The same for who has not kept the steps: reads all events once more. */
void choice_look_for_steps(const struct choice *c, struct trace *t);
