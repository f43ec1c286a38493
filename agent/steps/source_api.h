/* source_api.h - the step source api: the program says itself where it is (agent/ranktrace.h). caller: where that was called from. */
#pragma once
#include <stdint.h>
#include "agent/steps/place.h"

void source_api_step(int64_t n, const void *caller);
uint64_t source_api_stage_begin(const char *role, const void *caller);
void source_api_stage_end(uint64_t stage, const void *caller);
void source_api_batch(enum schedule_counter counter, enum batch_tells tells, const void *caller);
