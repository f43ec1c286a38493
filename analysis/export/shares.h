/* shares.h - what an export is cut into: processes, and where each window has a folder of its own, some of the windows of one. */
#pragma once
#include "analysis/export/exporter.h"

struct share {
	struct process *process;
	size_t begin, end; /* its windows, by file */
};

/* In the order of the trace. The caller frees it. */
struct share *shares_make(const struct export *e, size_t *count);
