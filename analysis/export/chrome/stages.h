/* stages.h - the tracks of stages in Chrome's trace format: below the steps, one for each that ran at once. */
#pragma once
#include "analysis/export/chrome/records.h"
#include "analysis/trace/choice.h"

/* Writes those of the steps that were chosen. last_ns: when a stage without an end is cut off. */
void stage_tracks_put(struct records *records, uint32_t pid, struct process *p, const struct choice *choice, uint64_t last_ns);
