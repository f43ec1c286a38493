/*
 * rounds.h - the numbers that a program gives its steps in ranktrace_step(). They only rise; a lower one begins another
 * round, whose steps count on from those before, so that none is met twice. Under the steps' lock, but for rounds_step().
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* The step that this number is. It wraps around: who calls his steps by numbers beyond 2^62 has none of them selected. */
int64_t rounds_step(int64_t number);

/* The program's step of this number begins. False: that is no other step than this one (STEP_NULL: none has begun), which may be worth a line. */
bool rounds_begin(int64_t number, int64_t step, bool tell_of_same);

/* A step less its number. */
int64_t rounds_offset(void);

void rounds_forget(void); /* in a forked child */
