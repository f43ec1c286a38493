/*
 * cupti.h - device times by CUPTI, NVIDIA's own tool, where the settings ask for it: when each kernel, copy and fill ran.
 * Others in the process who listen to its activities (torch.profiler does) and we would take records from each other: we
 * stop when they begin, and are not used again.
 */
#pragma once
#include "agent/base/attributes.h"
#include "hooks/capture/records/record_tool.h"

extern struct record_tool cupti_tool OURS;

/* As the agent starts: do the settings ask for it? */
void cupti_started(void);

/* Somebody else is about to listen. Nothing of ours runs any more when this returns. */
void cupti_make_way(void);
