/*
 * source_collective.h - collective:NAME*N: a step ends with every N-th call of a collective whose name matches. GATE_COLLECTIVES is set while
 * it may be the clock. Only calls on one communicator count: the largest that such a call was made on, of two the first.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/record/gate.h"

ALWAYS_INLINE bool source_collective_listens(void)
{
	return (uint32_t)gate_load() & GATE_COLLECTIVES;
}

/* Does a call of this name count? The name is one of a row: it stays where it is. */
bool source_collective_matches(const char *name);

/* One that matches has been made, on this communicator of so many ranks. */
void source_collective_called(const void *communicator, uint32_t ranks);

/* The communicator ends; another one may have its address. */
void source_collective_forget(const void *communicator);
