/* progress.h - one line on stderr that says how far long work is, if a person is watching. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Call as often as you like; silent for the first two seconds, and always unless a terminal. */
void progress(const char *what, size_t done, size_t all);

/* Wipes the line. */
void progress_end(void);

/* The same by a share of 1, with the rate of events and the time that is left; the clock starts with progress_begin(). */
void progress_begin(void);
void progress_share(const char *what, double share, uint64_t events);

/* Wipes the line; where nobody is watching, says what took longer than two seconds ("exported"). */
void progress_share_end(const char *done, uint64_t events);
