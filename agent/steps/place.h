/*
 * place.h - where in its step the process is: in which stage (the part of a step that one role has: actor_update,
 * rollout), in which mini-batch, in which micro-batch. All under the steps' lock.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "config/schedule.h"

struct place_now {
	uint64_t stage;			  /* 0: in none; else */
	const char *role;		  /* its role, */
	uint32_t occurrence;		  /* how often that was entered before in its step, */
	int64_t step;			  /* in which it began; in none: the step it is */
	int64_t batch[SCHEDULE_COUNTERS]; /* mini- and micro-batch; -1: in none */
	int64_t next[SCHEDULE_COUNTERS];  /* that will begin */
};
struct place_now place_now(int64_t step);

/* Mini- and micro-batches count from 0, and again with each stage; outside of stages with each step; or settings.reset says never. */
enum batch_tells { BATCH_BEGINS, /* and the one before has ended */
		   BATCH_ENDS,	 /* and the next one begins */
		   BATCH_NONE }; /* it has ended, and none begins */
struct batch_told {
	enum schedule_counter counter;
	enum batch_tells tells;
	const char *role;  /* in stages of this role only; "": anywhere */
	const char *stage; /* that it is part of, where no stage is told; "": none */
	int source;	   /* in a stage the first one that tells is heard; 0: is heard always */
};
/* False: it says nothing here. */
bool place_take(const struct batch_told *told, int64_t step);

/* Where it would be behind that. */
struct place_now place_behind(const struct batch_told *told, int64_t step);

/* A source will say that batches end: the first one begins with the stage (of this role; "": with any, and without one). */
void place_runs(enum schedule_counter counter, const char *role);

/*
 * A stage begins, at these ticks. context: what is in it, a thread or a coroutine; what that enters inside it belongs to it. Returns what
 * place_leave() wants; 0: it is none of its own.
 */
uint64_t place_enter(const char *role, uintptr_t context, int64_t step, uint64_t now);

/*
 * A batch begins that is part of a stage of this role, which nobody tells: it begins now, if there is none, and ends with its step. False:
 * there is one, or role is "".
 */
bool place_imply(const char *role, int64_t step, uint64_t now);
bool place_is_implied(void);
bool place_implies(const char *role, int64_t step); /* Is it this one, of this step? */
void place_leave_implied(uint64_t now);

/* False: there is no such stage, as in a forked child, or behind a begin that was refused. */
bool place_leave(uint64_t token, uint64_t now);

/*
 * A window is opened, for these steps and batches of a stage that is open, or of none (0). Returns how often it was so far: a
 * stage goes on behind another one that overlapped it.
 */
uint32_t place_count_window(uint64_t stage, int64_t step, int64_t batch);

/* Is a stage open that began in a selected step? Asked also without the lock. */
bool place_is_in_selected(void);

/* Defines the place of this epoch, and the stage, if the file of this window, by its number, does not have it yet. */
void place_define(uint32_t epoch, uint64_t window, int64_t step);

/* A mark: a stage of no length, and of no calls, which is in the file of the window that is open. */
void place_mark(const char *text, int64_t step, uint64_t now);

void place_forget(void); /* in a forked child */
