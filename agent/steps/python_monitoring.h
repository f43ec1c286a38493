/* python_monitoring.h - what sys.monitoring calls (CPython 3.12): calls of functions, by their code. */
#pragma once
#include "agent/steps/python_calls.h"

/*
 * This code's calls are this watch's from now on, for as long as Python runs; reader, a function of Python's, is called with a frame, or
 * NULL. False: there is no room.
 */
bool monitoring_watch(void *code, const struct watch *w, enum call_by by, void *reader);

/* They are nobody's any more. */
void monitoring_let_go(const void *code, const struct watch *w);

/* on_start, on_return and on_unwind, for python_shim.py to register. */
bool monitoring_give(void *dictionary);
