#include "agent/steps/implied_stage.h"
#include "agent/base/text.h"
#include "agent/format/trace_file.h"
#include "agent/steps/selected.h"

struct phase implied_by(const struct batch_told *batch, int64_t step)
{
	struct phase phase;

	if (!phases_now(&phase)) {
		text_copy(phase.role, sizeof(phase.role), batch->stage);
		phase.step = STEP_NULL;
	}
	if (phase.step == STEP_NULL)
		phase.step = step;
	return phase;
}

bool implied_changes(const struct batch_told *batch, int64_t step)
{
	struct phase phase;

	if (!*batch->stage || !place_is_implied())
		return false;
	phase = implied_by(batch, step);
	return !place_implies(phase.role, phase.step);
}

bool implied_may_be_late(int64_t step)
{
	return phases_any() && step > INT64_MIN + 1 && selected_has(step - 1);
}
