/* work.h - what calls that give work, and ends of contexts, take beside their words (work_words.h). */
#pragma once
#include "hooks/capture/pairs/vendor_times.h"

/* The vendor took work for this stream: does a capture keep it? */
bool work_is_captured(struct vendor_times *of, void *stream);

/* A stream that stands in a structure of the program's, before the call; NO_STREAM: it cannot be read. */
void *work_stream_at(void *const *place);

/*
 * Before a device ends with its own context, when times can still be read: that context, as contexts_of_device() knows it. When a context
 * has ended; gone: without a call that said so before, and its events are no more.
 */
void *work_device_ends(struct vendor_times *of, int32_t number);
void work_context_ended(struct vendor_times *of, const void *context);
void work_context_gone(struct vendor_times *of, const void *context);
