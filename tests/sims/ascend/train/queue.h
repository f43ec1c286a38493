/*
 * queue.h - torch_npu's task queue. Mode 0: everything on the caller's thread; 1: the first phase there, the rest on a
 * thread of its own, in order; 2: both phases there.
 */
#pragma once
#include <stdint.h>

struct request {
	void (*first)(struct request *); /* may be none */
	void (*second)(struct request *);
	void *stream, *executor;
	uint64_t workspace;
	union {
		const void *pointers[8];
		uint64_t numbers[8];
	};
	double scalar;
};

void queue_start(int mode);
void queue_push(const struct request *request);
void queue_drain(void); /* all that was pushed has been called */
void queue_stop(void);
