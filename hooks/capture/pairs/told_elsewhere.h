/*
 * told_elsewhere.h - somebody else who may tell of times besides our events: a tool of the vendor's, which is asked around each call that
 * is timed. What it takes for work of kernels it tells alone; of other work its time is written if it has come when the events are read.
 */
#pragma once
#include "agent/record/record.h"

struct told_elsewhere {
	bool (*ready)(void); /* no capture runs. True: what is begun now is to be ended */

	/* Around the call, whatever becomes of it. what: TIME_*. A number for it; 0: it does not tell of this one. */
	uint64_t (*begin)(unsigned int what);
	void (*end)(uint64_t number);

	/* The call has been recorded, and waits for its time. */
	void (*keep)(uint64_t number, const struct call *c, void *stream);
	void (*drop)(uint64_t number);

	/* The same of one that waits in this place already (device_times_take()). False: it will have no answer. */
	bool (*share)(uint64_t number, uint32_t node);

	/* Of such a one: 1: its time is written; negative: it will not be; 0: it may. And from now on it is not to be; false: it is about to. */
	int (*answer)(uint64_t number);
	bool (*leave)(uint64_t number);

	/* The program has waited: takes what is there. */
	void (*harvest)(void);
};
