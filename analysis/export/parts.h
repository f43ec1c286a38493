/*
 * parts.h - files under the names that they have until all is whole, and folders that were made for them: taken away should a signal end us.
 * The list of them is shared with our forks, so that what one leaves that was killed is known, too.
 */
#pragma once
#include <stdbool.h>

/* From now on. What ends us is handed on to the child processes. */
void parts_expect_signals(void);

/* A file that will be called so; `part`, to be freed, is what it is called now. A descriptor, or -1 with errno. */
int parts_make(const char *name, char **part);

/* Is it there? If it was not it is now. */
bool parts_make_folder(const char *path);

/* Those that are still there, of all our forks; of folders those that are empty. */
void parts_take_away(void);

/* In a child process, which takes away its own, and all of them if its parent is no more. */
void parts_be_child(void);
