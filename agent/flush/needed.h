/* needed.h - of names, sizes and shapes a file has those that its events name, once until they are told anew. The flush thread's. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/format/event.h"

/* Takes notice of definitions of LOG_LASTING: what of an event's key is the id of a definition, and what they name themselves. */
void needed_learn(const uint8_t *bytes, size_t size);

/* Takes notice of what is new in LOG_NAMED. False: no memory. */
bool needed_look(void);

/* Slots are going to be written: what they name is wanted. */
void needed_by(const struct event *slots, size_t n);

/* Likewise: by slots of this hook, with this key and, up to the place of the event it speaks of, this argument. */
void needed_by_kind(uint16_t hook, uint64_t key, uint64_t arg);

/* Copies what is wanted and not in the file yet, whole definitions; 0: there is no more. */
size_t needed_take(uint8_t *to, size_t size);

/* Nothing is in the file, or not to be relied on. */
void needed_anew(void);

void needed_forget(void); /* in a forked child */
