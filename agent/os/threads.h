/* threads.h - threads without importing pthread names that moved between libraries in glibc 2.34. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* This process is a forked child. */
extern bool threads_forked;

/* Starts a detached thread with every signal blocked. */
int threads_start(void *(*run)(void *));

/* The process goes on in this thread of ours, to its end: signals come in again as they did where it was started. */
void threads_unblock(void);

/* How many threads a process has that its first one left, itself included; 0: the first is still there. */
unsigned int threads_without_first(void);

/* Arranges that at_exit runs when the calling thread ends. False: it would take memory, in a signal handler. */
bool threads_at_exit(void (*at_exit)(void *));
