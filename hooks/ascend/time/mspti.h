/*
 * mspti.h - device times by msPTI, CANN's own tool: used where the user preloads libmspti.so and nobody else has subscribed.
 * It tells when each kernel ran, and each collective if it is new enough; a number that we give it around a call says whose
 * that was. What it tells of copies and fills are times of the host.
 *
 * Of some collectives nothing comes (those that the device itself takes apart), of others it comes late: they are timed by
 * events as well, and msPTI's time is written if it has come when those are read.
 */
#pragma once
#include "agent/record/record.h"

/* Starts with a window, if it may. True: kernels are timed this way. */
bool mspti_ready(void);

/* What a call gives: one kernel; kernels, with launches inside; a collective, the same; other work with launches inside. */
enum mspti_work { MSPTI_LAUNCH,
		  MSPTI_OPERATOR,
		  MSPTI_COLLECTIVE,
		  MSPTI_OTHER };

/*
 * Around the call, whatever becomes of it. A number for it; 0: another thread is in one, and whose a kernel was could not be
 * told, or this libmspti does not tell of such work.
 */
uint64_t mspti_begin(enum mspti_work work);
void mspti_end(uint64_t number);

/* The call has been recorded, and waits for its time. */
void mspti_keep(uint64_t number, const struct call *c, void *stream);
void mspti_drop(uint64_t number);

/* The same of one that waits in this place already. False: it will have no answer. */
bool mspti_share(uint64_t number, uint32_t node);

/* Of such a one: 1: its time is written; negative: it will not be; 0: it may. And from now on it is not to be; false: it is about to. */
int mspti_answer(uint64_t number);
bool mspti_leave(uint64_t number);

/* The program has waited: takes what is there. Behind a window everything, and then it is stopped. */
void mspti_harvest(void);

/* Somebody else wants it, or times of their own. Nothing of ours runs any more when this returns. */
void mspti_stop(void);
