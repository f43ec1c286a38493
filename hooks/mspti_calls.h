/*
 * mspti_calls.h - calls that wait for the times of the work that they gave, told by msPTI's records. Nobody waits for
 * anybody: a call belongs to its thread until it is kept, and to the reader from then on.
 */
#pragma once
#include "agent/record.h"
#include "hooks/mspti_records.h"

/* Room for them. False: there is no memory. */
bool mspti_calls_room(void);

/* After a fork: those of the parent. */
void mspti_calls_forget(void);

/* A call begins; outer: there may be launches inside. Its number; 0: there is no place. One thread at a time, until it ends. */
uint64_t mspti_calls_begin(bool outer);

/* It has ended, and all inside of it; doubtful: work of others may be among its own. */
void mspti_calls_end(uint64_t number, bool doubtful);

/* It has been recorded, and waits in a place of timing_take(); or it is not to wait. */
void mspti_calls_keep(uint64_t number, uint32_t node, const struct call *c, void *stream);
void mspti_calls_drop(uint64_t number);

/* Nobody will read: a call that was kept meanwhile waits no more. */
void mspti_calls_unkeep(uint64_t number);

/* Writes the times of calls that are done, or of all, by one thread at a time. */
void mspti_calls_collect(bool all);
