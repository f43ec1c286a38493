/*
 * file_definitions.h - which definitions the file has, and which it still needs. The flush thread's. `room` is memory to make a chunk
 * in, DEFINITIONS_SEGMENT bytes at least; NULL: there is none.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/format/encode.h"
#include "agent/format/session_files.h"
#include "agent/session/definitions.h"

/* A new file has none. first_epoch: where those of its window begin. */
void file_definitions_begin(struct definitions_place first_epoch);

/* Those that every file has and this one lacks; and again, after so many chunks, those that it has. */
void file_definitions_put(uint8_t *room);

/* Those that the slots in the encoder name, which are the ring's from `tail` to `end`. */
void file_definitions_of(const struct encoder *e, struct ring_header *r, uint64_t tail, uint64_t end, uint8_t *room);

/* Are there so many that they are to be put whether there are slots to be written or not? */
bool file_definitions_are_behind(void);

/* Of epochs, memory that is needed no more serves again. others: where those of later windows begin; NULL: there is none. */
void file_definitions_release(const struct definitions_place *others);

void file_definitions_forget(void); /* in a forked child */
