/* one_thread.c - of a library that has no functions for streams of threads. */
#include "tests/sims/cuda/threads.h"

__thread int sim_per_thread;
