/*
 * record_calls.h - calls that wait for the times of the work that they gave, told by a tool's records. Nobody waits for anybody: a call
 * belongs to its thread until it is kept, and to the reader from then on.
 */
#pragma once
#include "hooks/capture/records/record_tool.h"

/* Room for them. False: there is no memory. */
bool record_calls_room(struct record_tool *tool);

/* After a fork: those of the parent. */
void record_calls_forget(struct record_tool *tool);

/* A number for a call that is still to begin, or to be dropped. 0: there is no place. */
uint64_t record_calls_number(struct record_tool *tool, unsigned int lane);

/* It begins, inside of the one with the number outer, or of none (0). One thread of a lane at a time, until it ends. */
void record_calls_begin(struct record_tool *tool, uint64_t number, uint64_t outer, enum record_work work);

/* It has ended, and all inside of it; doubtful: work of others may be among its own. */
void record_calls_end(struct record_tool *tool, uint64_t number, bool doubtful);

/*
 * It has been recorded, and waits in a place of device_times_take(), which is given back; or, shared: which is somebody else's, who
 * asks for the answer and then drops it. Or it is not to wait.
 */
void record_calls_keep(struct record_tool *tool, uint64_t number, uint32_t node, bool shared);
void record_calls_drop(struct record_tool *tool, uint64_t number);

/* Nobody will read: a call that was kept meanwhile waits no more. False: it has been read. */
bool record_calls_unkeep(struct record_tool *tool, uint64_t number);

/* 1: its time is written; negative: it is not known; 0: it may still come. */
int record_calls_answer(struct record_tool *tool, uint64_t number);

/* Writes the times of calls that are done, or of all, by one thread at a time. */
void record_calls_collect(struct record_tool *tool, bool all);
