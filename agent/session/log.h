/* log.h - one line on stderr for a cause, once in a job. */
#pragma once

extern int log_level; /* RANKTRACE_LOG */

/* Says a line once per job (or process, without a launcher); topic is a short word. errno is kept. */
void log_once(const char *topic, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says a line only if RANKTRACE_LOG is 1 or more. */
void log_more(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * launch: the launcher's id, for which "once" is counted; empty without one. root: the folder in which the processes of a
 * launch agree on that; empty: there is none.
 */
void log_start(const char *root, const char *launch, int level);

/* At exit: says what a thread of ours could not, for there was no descriptor for it. */
void log_rest(void);

/* What an errno means; strerror() may take memory. */
const char *log_errno(int error);
