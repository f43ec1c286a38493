/*
 * python_stacks.h - before frames of Python are read as they lie in memory, python_shim.py compares what is read with what Python says of them: of
 * functions, a generator, a coroutine and names that are not ASCII. And who goes into PyTorch's backward pass is told by it.
 */
#pragma once
#include <stdbool.h>

/* Do the settings want stacks, in any window? */
bool python_stacks_wanted(void);

/* Puts what python_shim.py calls of it into a dictionary. False: out of memory. */
bool python_stacks_give(void *dictionary);
