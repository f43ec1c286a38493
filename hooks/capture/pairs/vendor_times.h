/*
 * vendor_times.h - the device times of one vendor: what it is asked for, and all that is kept of it. Two events of ours stand in a
 * stream around work that is given to it; they are read when the program itself has waited.
 */
#pragma once
#include "hooks/capture/pairs/harvest.h"
#include "hooks/capture/pairs/pairs.h"
#include "hooks/capture/pairs/pools.h"
#include "hooks/capture/pairs/spans.h"
#include "hooks/capture/pairs/timed.h"
#include "hooks/capture/pairs/timed_streams.h"
#include "hooks/capture/pairs/visit.h"
#include "hooks/capture/records/record_calls.h"
#include "hooks/capture/records/record_tool.h"

struct vendor_times {
	struct streams *streams;
	const struct event_calls *calls;
	struct record_tool *tool; /* who tells besides; NULL: nobody does */
	struct pools pools;
	struct pairs pairs;
	struct timed_streams timed;
	struct harvest harvest;
	struct spans spans;
	_Atomic uint32_t misses; /* timed.c: work for which there was no pair */
};
