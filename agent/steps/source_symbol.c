#include "agent/steps/source_symbol.h"
#include <stdatomic.h>
#include "agent/record/gate.h"
#include "agent/session/session.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"

void source_symbol_passed(unsigned int source, bool at_return)
{
	const struct step_source_spec *spec = step_clock_spec(source);

	if (spec && spec->kind == STEP_SOURCE_symbol && spec->ends == at_return)
		steps_count(source);
}

static _Atomic uint32_t found, lacked; /* a bit each; also before the start, and a parent's */
_Static_assert(STEP_SOURCES <= 32, "a bit each");

static void note(unsigned int source)
{
	const struct step_source_spec *spec = step_clock_spec(source);
	uint32_t bit = 1u << source;

	if (!spec || spec->kind != STEP_SOURCE_symbol)
		return;
	if (atomic_load(&found) & bit)
		step_clock_note(source, SOURCE_FOUND);
	else if (atomic_load(&lacked) & bit)
		step_clock_note(source, SOURCE_LACKED);
}

void source_symbol_looked(unsigned int source, bool there)
{
	atomic_fetch_or(there ? &found : &lacked, 1u << source);
	if (gate_load()) /* in a forked child the list is its parent's before */
		note(source);
}

static bool start(unsigned int source, const struct step_source_spec *spec)
{
	(void)spec;
	note(source);
	return true;
}

const struct step_source symbol_source = { .start = start, .finds = true };
