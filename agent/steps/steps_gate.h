/* steps_gate.h - the gate's word, as steps and windows have it. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* What the settings ask for is known, roles' included: before the first word. */
void steps_gate_start(void);

/*
 * Of this epoch on. soon: a window may open in this step or with the next; no_more: behind the window that is open, if one is, comes
 * none; recorded: whole steps so far.
 */
void steps_gate_set(uint32_t epoch, bool soon, bool no_more, uint64_t recorded);
