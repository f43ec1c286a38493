/* totals.h - how many calls a file tells of: those made since the file before it ended. */
#pragma once
#include "agent/flush/file_text.h"

/* The counts that the file being written begins at; of a session, or of a ring. */
struct file_base *totals_base(struct file_base base[2]);

/* Up to now, of a window that ended at these ticks; begins the next file's counts, which are in force once session->ended says so. */
#define WINDOW_AT_EXIT UINT64_MAX
struct totals totals_take(uint64_t window_end);
