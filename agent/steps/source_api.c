#include "agent/steps/source_api.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"

void source_api_step(int64_t n)
{
	int source = step_clock_find(STEP_SOURCE_api);

	if (source >= 0)
		steps_begin((unsigned int)source, n);
}

const struct step_source api_source = { .usual = "" };
