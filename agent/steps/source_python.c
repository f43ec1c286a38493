/* source_python.c - the step source python: PyTorch's optimizers, or a function of Python. */
#include <string.h>
#include "agent/steps/phases.h"
#include "agent/steps/published.h"
#include "agent/steps/python_calls.h"
#include "agent/steps/python_optimizers.h"
#include "agent/steps/python_queue.h"
#include "agent/steps/python_shim.h"
#include "agent/steps/python_watches.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "config/step_source/python.h"
#include "config/step_source/python_function.h"

static bool start(unsigned int source, const struct step_source_spec *spec)
{
	struct python_function f;
	char why[256];

	if (!strcmp(spec->argument, PYTHON_OPTIMIZER))
		optimizers_watch(source);
	else if (!python_read(&f, PYTHON_STEP, spec->argument, why, sizeof(why)))
		watches_add_step(source, &f);
	return true;
}

static enum session_cause why_watched(void)
{
	for (unsigned int i = 0; i < step_clock_count(); i++)
		if (watches_found(i))
			return CAUSE_NOT_CALLED;
	return CAUSE_NOT_FOUND;
}

static enum session_cause why(bool named)
{
	static const enum session_cause causes[] = {
		[SHIM_ABSENT] = CAUSE_NO_PYTHON,
		[SHIM_ASKED] = CAUSE_PYTHON_AWAY,
		[SHIM_FAILED] = CAUSE_PYTHON_FAILED,
	};

	if (!named && !optimizers_have_torch() && shim_state() != SHIM_FAILED)
		return CAUSE_NONE;
	if (shim_state() != SHIM_RUNS)
		return causes[shim_state()];
	return optimizers_watched() ? optimizers_why() : why_watched();
}

static void forget(void)
{
	optimizers_forget();
	calls_forget();
	published_forget();
	phases_forget();
	queue_forget();
}

const struct step_source python_source = {
	.usual = PYTHON_OPTIMIZER,
	.start = start,
	.why = why,
	.forget = forget,
	.finds = true,
};
