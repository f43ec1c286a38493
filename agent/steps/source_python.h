/*
 * source_python.h - has PyTorch's optimizers tell us of their steps, if there is a CPython in this process.
 *
 * Nothing of the user's is touched and nobody waits: CPython is asked to run agent/steps/source_python.py in its main thread as soon
 * as that is back in the interpreter. We take no lock of Python's that it holds while it runs code, and start no thread.
 */
#pragma once
#include <stdbool.h>
#include "agent/format/trace_file.h"

/* Arranges it, or does nothing: no CPython, already arranged. Not in a signal handler. */
void source_python_watch(void);

/* Is torch.optim there? */
bool source_python_has_torch(void);

/* Why no optimizer has told of a step so far. */
enum session_cause source_python_cause(void);
