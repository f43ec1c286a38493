/* calls.h - what every case of `store` does: it calls, steps, and waits for a word of whoever started it. */
#pragma once
#include "tests/lib/steps.h"
#include <stdint.h>

/* Over all arguments, with one more for each call that changed errno: what the program prints at its end. */
extern uint64_t sum;

/* n calls whose arguments nothing could make smaller. */
void calls(int n);
/* Another row of arguments for this thread. */
void calls_seed(uint64_t number);

/* Prints the line `what`, then waits for a line. */
void wait_for_word(const char *what);
