/*
 * source_marker.h - the step source marker:REGEX: a step begins or ends with a range, or a mark, whose message matches. While it may be the
 * clock GATE_MARKS is set. Several such sources are a bit each.
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

/* Which of these the message matches; of messages that come again it is remembered. 0 in a signal handler. */
uint32_t source_marker_matches(uint32_t domain, const char *message);

/*
 * A range with this message begins, or a mark is made: those that wait for that fire. Returns those that wait for its end. in_order: it comes
 * by the thread that launches, behind what was launched before; others wait for that if they can.
 */
uint32_t source_marker_begins(uint32_t matches, const char *message, bool in_order, const void *caller);

/* It ends, or the mark was made. */
void source_marker_ends(uint32_t matches, bool in_order, const void *caller);
