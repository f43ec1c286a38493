/* other_profilers.h - others who measure: we step aside for them, and say so. */
#pragma once
#include <stdbool.h>

enum { OTHER_PROFILER = 1,
       OTHER_PROFILING = 2,
       OTHER_SUBSCRIBER = 4 };

/* Reads what was measured by now, and stops what measures: done before one begins. NULL: nothing of ours does. */
extern void (*_Atomic other_profilers_make_way)(void);

/* Before they begin, and when they have ended. */
void other_profilers_begin(unsigned int who);
void other_profilers_end(unsigned int who);

/* Does any of these? */
bool other_profilers_run(unsigned int who);
