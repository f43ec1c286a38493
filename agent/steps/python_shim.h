/* python_shim.h - our code in the process's CPython: python_shim.py, which finds what is to be watched there. */
#pragma once
#include <stdbool.h>

enum shim_state {
	SHIM_ABSENT, /* no CPython that is running */
	SHIM_ASKED,  /* it will run our code */
	SHIM_RUNS,
	SHIM_FAILED,
};

/*
 * CPython is asked to run it, in its main thread, as soon as that is back in the interpreter; nobody waits. What is to be watched is
 * known before.
 */
void shim_ask(void);

/* The same at once, for who holds the GIL and is in no code of Python's that could mind. False: what that raised is a signal's. */
bool shim_now(void);

enum shim_state shim_state(void);
