/* mspti_calls.h - calls that wait for the times of the kernels that they gave, and what msPTI's records tell of them. */
#pragma once
#include "agent/record.h"
#include "hooks/mspti_abi.h"

typedef msptiResult mspti_next(uint8_t *, size_t, mspti_record **);

/* Room for them. False: there is no memory. */
bool mspti_calls_room(void);

/* After a fork: those of the parent, which may have held the lock. */
void mspti_calls_forget(void);

/* A call begins, inside of another or of none (0); outer: there may be launches inside. Its number; 0: there is no place. */
uint64_t mspti_calls_begin(uint64_t around, bool outer);

/* It has ended; doubtful: kernels of others may be among its own. The call that it was inside of. */
uint64_t mspti_calls_end(uint64_t number, bool doubtful);

/* It has been recorded, and waits in a place of timing_take(); or it is not to wait. */
void mspti_calls_keep(uint64_t number, uint32_t node, const struct call *c, void *stream);
void mspti_calls_drop(uint64_t number);

/* Records that were delivered. */
void mspti_calls_read(uint8_t *buffer, size_t valid, mspti_next *next);

/* Writes the times of calls that are done, or of all, by one thread at a time. */
void mspti_calls_collect(bool all);
