/*
 * implied_stage.h - the stage that an engine's batches are part of. No function of the engine begins it: it is named where batches are
 * watched ({stage=}), or by those who hand the engine its work, who know better. Under the steps' lock.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/steps/phases.h"
#include "agent/steps/place.h"

/* What a batch of this step is part of, and of which step that is. The batch has a stage. */
struct phase implied_by(const struct batch_told *batch, int64_t step);

/* Batches have begun a stage, and this one is part of another. */
bool implied_changes(const struct batch_told *batch, int64_t step);

/* May the step before go on in one? A validation's weights are the next step's already. */
bool implied_may_be_late(int64_t step);
