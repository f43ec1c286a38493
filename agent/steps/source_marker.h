/*
 * source_marker.h - marker:REGEX: a step begins or ends with a range, or a mark, whose message matches; or a range is a stage. GATE_MARKS is
 * set while such a source may be the clock, and where there are such stages. Each that listens is a bit.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/record/gate.h"

/* Is anybody waiting for a marker? */
ALWAYS_INLINE bool source_marker_listens(void)
{
	return (uint32_t)gate_load() & GATE_MARKS;
}

/* Which of them hear a domain of this name; NULL: the default one. */
uint32_t source_marker_domain(const char *name);

/* Which of these the message matches; of messages that come again it is remembered. 0 in a signal handler of what only regexec() knows. */
uint32_t source_marker_matches(uint32_t domain, const char *message);

/*
 * A range with this message begins, or a mark is made: sources that wait for that fire. in_order: it comes by the thread that launches, behind
 * what was launched before; others wait for that if they can.
 */
void source_marker_begins(uint32_t matches, const char *message, bool in_order, const void *caller);

/* It ends, or the mark was made. */
void source_marker_ends(uint32_t matches, bool in_order, const void *caller);
bool source_marker_wants_end(uint32_t matches); /* Could that be a boundary? */

/* A range that is a stage begins: what ends it; 0: there is nothing to end. */
uint64_t source_marker_enters(uint32_t matches, const char *message, bool in_order, const void *caller);
void source_marker_leaves(uint64_t stage, bool in_order, const void *caller);

/* The settings' stages; and what they want of the gate. */
void source_marker_read_stages(void);
uint32_t source_marker_gate(void);
