/* steps_lock.h - the lock under which steps, places in them and windows change. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* False: it was not to be had in time, or a signal handler stands on top of its holder. Nothing changes then. */
bool steps_lock(void);
void steps_unlock(void);

/* The calling thread, as the lock tells them apart. */
uintptr_t steps_thread(void);

void steps_lock_forget(void); /* in a forked child */
