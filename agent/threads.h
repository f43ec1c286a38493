/* threads.h - threads without importing pthread names that moved between libraries in glibc 2.34. */
#pragma once
#include "own.h"

/* Starts a detached thread with every signal blocked. */
bool threads_start(void *(*run)(void *));

/* Arranges that at_exit runs when the calling thread ends. */
void threads_at_exit(void (*at_exit)(void *));
