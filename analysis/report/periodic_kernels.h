/* periodic_kernels.h - at what distances a kernel is launched: once a step, if the distances are equal. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Launches in a row count as one time, as they do for a step source. */
struct period {
	uint64_t times, last; /* last: number of its last launch, among all of that thread */
	uint64_t gap, equal;  /* other launches between the last two times; so many gaps in a row were like it */
	uint64_t behind;      /* launches behind its last one; set at the end */
	uint32_t thread;
	bool scattered; /* over several rings: no order is known */
};

/* A launch, the number-th of the thread. */
void period_take(struct period *r, uint32_t thread, uint64_t number);

/* Once a step from the first or second step on, to the end of the trace. */
bool period_is_regular(const struct period *r);

struct report;
struct kernel_row;

/* For a run without a step source: the kernel that most looks like a step's last; NULL: none. */
const struct kernel_row *periodic_kernels_guess(const struct report *r);
