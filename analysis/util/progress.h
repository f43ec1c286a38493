/* progress.h - one line on stderr that says how far long work is, if a person is watching. */
#pragma once
#include <stddef.h>

/* Call as often as you like; silent for the first two seconds, and always unless a terminal. */
void progress(const char *what, size_t done, size_t all);

/* Wipes the line. */
void progress_end(void);
