/* other_profilers.h - others who measure: we step aside for them, and say so. */
#pragma once
#include <stdbool.h>

enum { OTHER_PROFILER = 1,
       OTHER_PROFILING = 2,
       OTHER_SUBSCRIBER = 4 };

/* Before they begin, and when they have ended. */
void ascend_other_begins(unsigned int who);
void ascend_other_ends(unsigned int who);

/* Does any of these? */
bool ascend_other_runs(unsigned int who);
