/* event_fields.h - what an event says besides its times and its launch, as keys and values: for dump and export alike. */
#pragma once
#include "analysis/trace/trace.h"

struct field {
	const char *key;
	const char *text; /* NULL: the value is the number */
	int64_t number;
};

#define EVENT_FIELDS_MAX 12

/* Fills in what is known; how many there are. */
size_t event_fields(const struct trace_event *ev, struct field fields[EVENT_FIELDS_MAX]);

/* Where in its step it was made: role, occurrence, mini, micro, as far as they are known. */
#define PLACE_FIELDS_MAX 4
extern const char *const place_keys[PLACE_FIELDS_MAX];
size_t event_fields_of_place(const struct step_place *place, struct field fields[PLACE_FIELDS_MAX]);

/* The same of a marker alone. */
size_t event_fields_of_marker(const struct marker *m, struct field fields[EVENT_FIELDS_MAX]);

/* Is a number of bytes worth telling? (0 bytes of a copy are, of a launch are not.) */
bool event_has_bytes(const struct trace_event *ev);
