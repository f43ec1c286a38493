/* complete_text.h - the texts of a dead process's file, as far as it lacks them: who it was, and its totals. */
#pragma once
#include <stdint.h>

#include "analysis/session/complete_file.h"

/*
 * The counters behind which the calls of the file to be completed begin. Killed behind a file's totals, the
 * process may not have come to say that the next file's base is in force.
 */
const struct file_base *complete_text_base(const struct incomplete_file *s, const struct file_base base[2]);

/* Calls that were entered and went nowhere: some rings had their slots in memory that ended with the process. */
uint64_t complete_text_gone(const struct incomplete_file *s);

/* What the agent wrote last, and what has become known since. 0 or a negative errno, as below. */
int complete_text_file(struct incomplete_file *s);
int complete_text_end(struct incomplete_file *s);
