/*
 * time.h - device times of Ascend: by events (hooks/capture/pairs). Launches and operators are timed by msPTI instead where it is at hand,
 * and collectives by both: see mspti.h.
 */
#pragma once
#include "hooks/ascend/tracking/streams.h"
#include "hooks/capture/pairs/harvest.h"
#include "hooks/capture/pairs/spans.h"
#include "hooks/capture/pairs/timed.h"

extern struct vendor_times ascend_times OURS;

/* A session has begun: other profilers find us from now on. */
void ascend_times_started(void);
