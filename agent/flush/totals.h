/* totals.h - how many calls a file tells of: those made since the file before it ended. */
#pragma once
#include "agent/flush/file_text.h"

/* The counts that the file being written begins at; of a session, or of a ring. */
struct file_base *totals_base(struct file_base base[2]);

/* Up to now; begins the next file's counts, which are in force once session->ended says so. */
struct totals totals_take(void);
