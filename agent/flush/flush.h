/* flush.h - the one thread of ours: drains rings into trace files, and sleeps otherwise. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Starts the thread and a few rings, so that the first window finds them ready. */
void flush_prepare(void);

/* Is the thread there? */
bool flush_running(void);

/* An epoch has begun inside a window: the thread is woken if it has many to write. */
void flush_step(uint32_t epoch);

/* No window will follow: the thread ends after the last one. */
void flush_no_more(void);

/* At exit: asks for everything to be written now, and waits at most this long. False: it was not done. */
bool flush_finish(unsigned int milliseconds);

void flush_forget(void); /* in a forked child */
