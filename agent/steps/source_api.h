/* source_api.h - the step source api: the trainer says itself which step begins. */
#pragma once
#include <stdint.h>

/* Step n begins now (ranktrace_step). */
void source_api_step(int64_t n);
