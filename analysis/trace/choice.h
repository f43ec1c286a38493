/* choice.h - --steps, --ranks and --roles of the commands that read traces. */
#pragma once
#include "analysis/trace/trace.h"
#include "config/selection.h"

struct choice {
	struct selection steps, ranks;
	const char *roles;			 /* commas or blanks between; NULL: all, and what is in none */
	const char *steps_option, *ranks_option; /* by which they were asked for; NULL: --steps, --ranks */
};

#define CHOICE_ALL ((struct choice){ .steps = { .all = true }, .ranks = { .all = true } })

/* Is nothing left out? */
static inline bool choice_is_all(const struct choice *c)
{
	return c->steps.all && c->ranks.all && !c->roles;
}

/* Processes of an unknown rank are in only where all are. */
bool choice_has_rank(const struct choice *c, bool has_rank, int64_t rank);

/* Where no rank of the process is known, those of its devices count. */
bool choice_has_process(const struct choice *c, const struct process *p);

/* Is the event of another device's rank than those that are in? What is of no device is in wherever the process is. */
bool choice_has_device_of(const struct choice *c, const struct trace_event *ev);
bool choice_has_device_on(const struct choice *c, const struct process *p, uint16_t stream);

static inline bool choice_has_step(const struct choice *c, int64_t step)
{
	return c->steps.all || selection_has(&c->steps, step);
}

bool choice_names_stage(const struct choice *c, const struct stage *stage);

/* NULL: what is in no stage. */
static inline bool choice_has_stage(const struct choice *c, const struct stage *stage)
{
	return !c->roles || choice_names_stage(c, stage);
}

/* Is this place of a step in? NULL: it is in no stage, and in no batch. */
static inline bool choice_has_place(const struct choice *c, int64_t step, const struct step_place *place)
{
	return choice_has_step(c, step) && choice_has_stage(c, place ? place->stage : NULL);
}

/* Were any of these calls made in a step that is in? Of which role is not known. */
bool choice_has_lost(const struct choice *c, const struct trace_lost *lost);

/* Complains: that no process there is of these ranks, that nothing is of these steps, and what is. Sorts the steps. */
void choice_no_rank(const struct choice *c, struct trace *t);
void choice_no_step(const struct choice *c, int64_t *steps, size_t count);

/* That nothing is of these roles, and whose stages there are; of the ranks that were chosen. */
void choice_no_role(const struct choice *c, struct trace *t);

/* The same of steps for who has not kept them: reads all events once more. */
void choice_look_for_steps(const struct choice *c, struct trace *t);
