/* failures.h - calls that failed, for the report. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/trace/failures.h"

struct failed_calls { /* what the section keeps */
	struct failures taken;
	size_t count;
	struct failure *list; /* by entry point and result; the most frequent first */
};
