#include "agent/steps/source_api.h"
#include "agent/steps/progress.h"
#include "agent/steps/python_queue.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"

void source_api_step(int64_t n, const void *caller)
{
	int source = step_clock_find(STEP_SOURCE_api);

	if (source < 0 || (step_clock_has_fired() && !step_clock_is((unsigned int)source)))
		return;
	queue_wait_for(caller, steps_step_may_move(n));
	steps_begin((unsigned int)source, n);
}

uint64_t source_api_stage_begin(const char *role, const void *caller)
{
	queue_wait_for(caller, steps_stage_may_move());
	return steps_stage_begin(role && *role ? role : "stage", 0);
}

void source_api_stage_end(uint64_t stage, const void *caller)
{
	if (stage)
		queue_wait_for(caller, steps_stage_may_move());
	steps_stage_end(stage);
}

void source_api_batch(enum schedule_counter counter, enum batch_tells tells, const void *caller)
{
	struct batch_told told = { counter, tells, "", "", 0 };

	queue_wait_for(caller, steps_batch_may_move(&told));
	steps_batch(&told);
}

const struct step_source api_source = { .usual = "" };
