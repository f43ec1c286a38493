/*
 * mspti_calls.h - calls that wait for the times of the work that they gave, told by msPTI's records. Nobody waits for
 * anybody: a call belongs to its thread until it is kept, and to the reader from then on.
 */
#pragma once
#include "agent/record/record.h"
#include "hooks/ascend/time/mspti.h"
#include "hooks/ascend/time/mspti_records.h"

/* Room for them. False: there is no memory. */
bool mspti_calls_room(void);

/* After a fork: those of the parent. */
void mspti_calls_forget(void);

/* A call begins. Its number; 0: there is no place. One thread at a time, until it ends. */
uint64_t mspti_calls_begin(enum mspti_work work);

/* It has ended, and all inside of it; doubtful: work of others may be among its own. */
void mspti_calls_end(uint64_t number, bool doubtful);

/*
 * It has been recorded, and waits in a place of device_times_take(), which is given back; or, shared: which is somebody else's, who
 * asks for the answer and then drops it. Or it is not to wait.
 */
void mspti_calls_keep(uint64_t number, uint32_t node, bool shared);
void mspti_calls_drop(uint64_t number);

/* Nobody will read: a call that was kept meanwhile waits no more. False: it has been read. */
bool mspti_calls_unkeep(uint64_t number);

/* 1: its time is written; negative: it is not known; 0: it may still come. */
int mspti_calls_answer(uint64_t number);

/* Writes the times of calls that are done, or of all, by one thread at a time. */
void mspti_calls_collect(bool all);
