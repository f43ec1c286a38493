#include "agent/steps/source_symbol.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"

void source_symbol_passed(unsigned int source, bool at_return)
{
	const struct step_source_spec *spec = step_clock_spec(source);

	if (spec && spec->kind == STEP_SOURCE_symbol && spec->ends == at_return)
		steps_count(source);
}

const struct step_source symbol_source = { .usual = NULL };
