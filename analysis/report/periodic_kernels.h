/* periodic_kernels.h - at what distances a kernel is launched: once a step, if the distances are equal, or at least alike. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Launches in a row count as one time, as they do for a step source. */
struct period {
	uint32_t thread;
	bool scattered;		     /* over several rings: no order is known */
	uint64_t times, first, last; /* numbers of its first and last launch, among all of that thread */
	uint64_t gap, equal;	     /* other launches between the last two times; so many gaps in a row were like it */
	double mean, squares;	     /* of all gaps: mean, and sum of the squared differences from it */
	uint64_t behind;	     /* launches behind its last one; set at the end */
};

/* A launch, the number-th of the thread. */
void period_take(struct period *r, uint32_t thread, uint64_t number);

struct report;
struct kernel_row;

/* For a run without a step source: the kernel that most looks like a step's last, at equal distances; NULL: none. */
const struct kernel_row *periodic_kernels_equal(const struct report *r);

/*
 * The same where steps are not equal: of kernels that come at distances alike and have another one that comes with them, the rarest, as what
 * ends a step comes less often than what is inside of it. NULL: none.
 */
const struct kernel_row *periodic_kernels_alike(const struct report *r);
