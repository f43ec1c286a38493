/*
 * words.h - the capture words: what they consist of, and those of no vendor. The others are in
 * hooks/<vendor>/words.h.
 *
 * A capture word is three macros: KIND_WORD (kinds.h), the kind of event; OPENS_WORD, the bits of the gate that
 * lead calls into the slow path; and DO_WORD, what is done around a call, in as many of these parts as it needs:
 *   CLOCK     before the call is entered: step sources and reference counts, may change hook and kind
 *   WANT      the call is recorded: ask the vendor for an event
 *   KEEP      the call succeeded: track handles, recorded or not
 *   CAPTURE   fill in the event
 *   AFTER     the event is in the ring, or the call was not recorded
 * They may use rc (the result), ok (the call succeeded), c (the call), hook and kind, caller, the vendor's
 * LOCALS, and what the row gives them of its parameters.
 */
#pragma once
#include "hooks/rows/kinds.h"

/* ---- what they consist of ---- */

/* A word stands in a function once for each part, and the compiler keeps that part of it. */
enum part { AT_CLOCK, AT_WANT, AT_KEEP, AT_CAPTURE, AT_AFTER };
#define PART(it, capture) { const enum part part __attribute__((unused)) = AT_##it; DO_##capture }
#define CLOCK(...)	if (part == AT_CLOCK) { __VA_ARGS__; }
#define WANT(...)	if (part == AT_WANT) { __VA_ARGS__; }
#define KEEP(...)	if (part == AT_KEEP) { __VA_ARGS__; }
#define CAPTURE(...)	if (part == AT_CAPTURE) { __VA_ARGS__; }
#define AFTER(...)	if (part == AT_AFTER) { __VA_ARGS__; }

#define EV		c.event
#define TRACK		(GATE_TRACK | GATE_WINDOW)
#define ALWAYS		(~(ROW_SHORT | ROW_KERNEL_FIRST))

/*
 * A row that a program calls all the time may have a short way besides: a function short_<symbol>,
 * taken if the thread is in no other call and the gate's word is the one under which it wrote its last
 * slot (producer.ready). On x86-64 SHORT_WAY, the vendor's too, goes there or does what else can be
 * done in a few lines, and leaves the rest to the slow path.
 */
#define ROW_SHORT	 BIT(24) /* in OPENS; not bits of the gate */
#define ROW_KERNEL_FIRST BIT(16) /* a launch's kernel is its first argument, not the second */
_Static_assert(!(GATE_BITS & (ROW_SHORT | ROW_KERNEL_FIRST)), "what a row says of itself opens nothing");

/* ---- those of no vendor ---- */

/* ANSWER(): of HOOK_ANSWER rows */
#define OPENS_ANSWER(...)	(GATE_WINDOW | GATE_MARKS)

/* MODULE(), GRAPH(), EVENT(): the call itself is all there is to tell */
#define OPENS_MODULE(...)	GATE_WINDOW
#define DO_MODULE()
#define OPENS_GRAPH(...)	GATE_WINDOW
#define DO_GRAPH()
#define OPENS_EVENT(...)	GATE_WINDOW
#define DO_EVENT()

/* RESOLVE(name): hands out our function instead of the one that was found, if the name has a row */
#define OPENS_RESOLVE(...)	ALWAYS
#define DO_RESOLVE(name)	KEEP(rc = hook_resolved(name, rc, caller))
