/*
 * timed.h - what is done around the calls that give work to a stream: two events of ours stand in the stream around the work
 * (pairs.h). A tool of the vendor's may tell of the times, too, or alone (record_tool.h).
 */
#pragma once
#include "agent/session/settings.h"
#include "hooks/capture/pairs/pools.h"

/* What belongs to a call that is being timed. */
struct timed {
	uint32_t pair; /* of events around it */
	uint64_t told; /* its number at the tool; both 0: its time cannot be had */
	bool inside;   /* from record_tool_begin() to its end */
	void *stream;
	unsigned int what;
};
enum { TIME_OUTER = 1,	 /* there may be launches inside */
       TIME_KERNELS = 2, /* it is work of kernels alone */
       TIME_OPERATOR = TIME_OUTER | TIME_KERNELS,
       TIME_COLLECTIVE = TIME_OUTER | 4,
       TIME_ALWAYS = 8,				     /* its caller asks for it in each step, not only in every N-th (device_every) */
       TIME_COPY = 16,				     /* it is one copy or fill */
       TIME_TOLD_ALONE = TIME_KERNELS | TIME_COPY }; /* needs no events where the tool tells of it */

/* A pair (pairs.h) whose first event stands in the stream; 0: there is none, or the stream takes none. */
uint32_t timed_first(struct vendor_times *of, void *stream);

/* False: this call has no device time, and is not to have one. */
bool timed_begin(struct vendor_times *of, void *stream, struct timed *own);

/* The call is over, and succeeded: the second event. Then it is recorded, or failed. */
void timed_end(struct vendor_times *of, struct timed *own);
void timed_keep(struct vendor_times *of, const struct call *c, const struct timed *own, bool ok);

/* The same where it is not known whether the call is timed at all: before it, when it has succeeded, and when it is recorded or has failed. */
void timed_want(struct vendor_times *of, struct call *c, void *stream, struct timed *own, unsigned int what);
void timed_called(struct vendor_times *of, const struct call *c, struct timed *own);
void timed_recorded(struct vendor_times *of, const struct call *c, const struct timed *own, bool ok);
