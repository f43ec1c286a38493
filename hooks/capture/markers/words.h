/*
 * words.h - what the capture words of marks and ranges consist of, where a message is a text; hooks/capture/words.h tells of their
 * parts. A vendor says what is its own: THE_MARKERS, and KNOW(domain), before anything in it is told.
 */
#pragma once
#include "hooks/capture/markers/levels.h"
#include "hooks/capture/markers/mark_clock.h"
#include "hooks/capture/markers/markers.h"
#include "hooks/capture/wrap.h"

/* message_is: the message, once it was looked for. heard: by which step sources and stages; stage: the one that it begins. */
#define MARKER_LOCALS						\
	const char *message_is __attribute__((unused)) = NULL;	\
	uint32_t heard __attribute__((unused)) = 0;		\
	uint64_t stage __attribute__((unused)) = 0;

#define CLOCKED	  (GATE_WINDOW | GATE_MARKS)
#define LISTENING UNLIKELY(source_marker_listens())

/* A message is looked for once, and a domain made known, if anybody wants to know. */
#define SAID(said)	(message_is = message_is ?: (said))
#define HEARD(within, said) \
	(LISTENING && (KNOW(within), heard = mark_clock_heard(&THE_MARKERS, within, SAID(said))))
#define MARKER(within, said) (KNOW(within), markers_id(&THE_MARKERS, within, SAID(said)))

#define MARK_OF(within, said)							\
	CLOCK(if (HEARD(within, said)) source_marker_begins(heard, message_is, true, caller)) \
	CAPTURE(EV.key = MARKER(within, said))					\
	AFTER(if (UNLIKELY(heard)) source_marker_ends(heard, true, caller))
#define RANGE_OF(within, said, number)						\
	CLOCK(if (HEARD(within, said)) {					\
		source_marker_begins(heard, message_is, true, caller);		\
		stage = source_marker_enters(heard, message_is, true, caller);	\
	})									\
	CAPTURE(EV.key = MARKER(within, said), EV.arg = (number)&EVENT_BYTES)	\
	AFTER(if (UNLIKELY(heard)) mark_clock_range(&THE_MARKERS, heard, stage, true, number, caller))
#define END_OF(number)								\
	CAPTURE(EV.arg = (number)&EVENT_BYTES)					\
	AFTER(if (LISTENING && mark_clock_hears_end(&THE_MARKERS, number)) mark_clock_range_ends(&THE_MARKERS, number, caller))
