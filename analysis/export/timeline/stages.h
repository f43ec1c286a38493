/* stages.h - the tracks of stages in a time line: below the steps, one for each that ran at once. */
#pragma once
#include "analysis/export/timeline/line_writer.h"
#include "analysis/trace/choice.h"

/* Writes those of the steps that were chosen. last_ns: when a stage without an end is cut off. */
void stage_tracks_put(struct line_writer *writer, uint32_t pid, struct process *p, const struct choice *choice, uint64_t last_ns);
