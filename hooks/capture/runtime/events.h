/* events.h - events of runtimes that have the same functions for them, under other names (hooks/capture/pairs/pools.h). */
#pragma once
#include "hooks/capture/pairs/pools.h"

/* The vendor's functions by these names; capture: may be NULL. False: one of the others is not there. */
struct event_names {
	const char *create, *destroy, *record, *query, *elapsed, *capture;
};
struct events_found {
	_Atomic(void *) caches[EVENT_FUNCTIONS];
};
bool events_find(const struct event_names *names, struct events_found *found, void **real);

int events_create(void *const *real, void **event);
int events_destroy(void *const *real, void *event);
int events_record(void *const *real, void *event, void *stream);
int events_query(void *const *real, void *event);
int events_elapsed(void *const *real, float *ms, void *from, void *to);
int events_capture(void *const *real, void *stream);

/* In a vendor's struct event_calls. */
#define EVENTS_OF_RUNTIMES                                                                                  \
	.create = events_create, .destroy = events_destroy, .record = events_record, .query = events_query, \
	.elapsed = events_elapsed, .capture = events_capture

/* In which mode this thread disturbs no capture that runs; negative: that of before stays. What it was. */
#define CAPTURE_MODE_RELAXED 2
int events_exchange_mode(int (*exchange)(int *), int mode);
