/*
 * source_time.h - time:10s: a step lasts so long, from the first launch on. No thread looks at the time: launches do, under GATE_TIME, so
 * that a step lasts until the first launch behind its end. Behind other sources it waits for those. In the step before a window launches
 * look, too, where native stacks are wanted: stacks_practise().
 */
#pragma once
#include "agent/base/attributes.h"
#include "agent/record/gate.h"

void source_time_look(void);

/* Something is launched. */
ALWAYS_INLINE void source_time_launch(void)
{
	if (UNLIKELY((uint32_t)gate_load() & GATE_TIME))
		source_time_look();
}
