/*
 * epochs.h - an epoch is the time in which the process stays in one step, and in one place of it; events name theirs by number. Numbers
 * run on in forked children, so that what a thread kept of an older one never looks current. All under the steps' lock.
 */
#pragma once
#include <stdint.h>

/* Of the current one. */
uint32_t epochs_number(void);

/* Another one begins, at these ticks: of another step, which has these EPOCH_ flags and differs so much from the number told; */
void epochs_begin_step(uint64_t now, uint64_t flags, int64_t offset);

/* or of the same one. */
void epochs_begin(uint64_t now);

/* The current step turns out to have these. */
void epochs_set_flags(uint64_t flags);

/* Defines the current one, of this step (STEP_NULL: of none); it ended at these ticks, or 0: it goes on. */
void epochs_define(int64_t step, uint64_t end);

/* The current one ends at these ticks, and whose step it is will be known later: of this one, or of none (STEP_NULL). */
void epochs_keep(uint64_t end);
void epochs_settle(int64_t step);

void epochs_forget(void); /* in a forked child */
