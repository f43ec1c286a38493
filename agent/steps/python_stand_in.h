/*
 * python_stand_in.h - what a function calls that python_shim.py has put in the place of a watched one, where sys.monitoring tells of no calls: before
 * CPython 3.12, of generators, and where functions share their code.
 */
#pragma once
#include "agent/steps/python_calls.h"

/* enter, leave and fail of a new one, as a tuple of Python's. They stay for as long as Python runs, as a function that was replaced does. */
void *stand_in_new(const struct watch *w, enum call_by by);
