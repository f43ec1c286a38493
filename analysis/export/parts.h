/*
 * parts.h - files under the names that they have until all is whole, and folders that were made for them: taken away should a signal end us.
 * The list of them is shared with our forks, so that what one leaves that was killed is known, too.
 */
#pragma once
#include <stdbool.h>

/* From now on. What ends us is handed on to the child processes. */
void parts_expect_signals(void);

void parts_note(const char *path, bool folder);

/* Those that are still there, of all our forks; of folders those that are empty. */
void parts_take_away(void);

/* In a child process, which takes away its own, and all of them if its parent is no more. */
void parts_be_child(void);
