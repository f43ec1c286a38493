/* memory.h - how much memory is handed out, as counters in a time line: of the device, of the host for it, and of each allocator. */
#pragma once
#include "analysis/export/exporter.h"
#include "analysis/export/timeline/line_writer.h"
#include "analysis/trace/live_memory.h"
#include "analysis/trace/pending.h"

struct memory_counters {
	struct line_writer *writer;
	const struct export *export;
	const struct process *process;
	struct sorter sorter; /* by time; made by the first allocation */
	bool sorts, wanted;   /* wanted: recording was asked for memory; else what is there is not all */
	uint32_t pid;
	struct table stocks; /* struct stock, by allocator */
};

void memory_counters_begin(struct memory_counters *m, struct line_writer *writer, const struct export *export, const struct process *p, uint32_t pid);

/* Of all steps: what lives was allocated before. Only those of the steps that are wanted are shown. */
void memory_counters_event(struct memory_counters *m, const struct trace_event *ev);
void memory_counters_piece(struct memory_counters *m, const struct trace_piece *piece);
void memory_counters_end(struct memory_counters *m);
