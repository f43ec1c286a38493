/* parts.h - files under the names that they have until all is whole: taken away should a signal end us. */
#pragma once

/* From now on. What ends us is handed on to the child processes. */
void parts_expect_signals(void);

void parts_note(char *path); /* stays the caller's, until: */
void parts_forget(const char *path);

/* In a child process: what its parent notes is none of its business. */
void parts_forget_all(void);
