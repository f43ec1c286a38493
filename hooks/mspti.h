/*
 * mspti.h - device times of kernels by msPTI, CANN's own tool: used where the user preloads libmspti.so and nobody else has
 * subscribed. It tells when each kernel ran; a number that we give it around a call says whose it was.
 *
 * Kernels only: what it tells of copies are times of the host, and of collectives not by which call.
 */
#pragma once
#include "agent/record.h"

/* Starts with a window, if it may. True: kernels are timed this way. */
bool mspti_ready(void);

/*
 * Around the call, whatever becomes of it; outer: there may be launches inside. A number for it; 0: another thread is in one,
 * and whose a kernel was could not be told.
 */
uint64_t mspti_begin(bool outer);
void mspti_end(uint64_t number);

/* The call has been recorded, and waits for its time. */
void mspti_keep(uint64_t number, const struct call *c, void *stream);
void mspti_drop(uint64_t number);

/* The program has waited: takes what is there. Behind a window everything, and then it is stopped. */
void mspti_harvest(void);

/* Somebody else wants it, or times of their own. Nothing of ours runs any more when this returns. */
void mspti_stop(void);
