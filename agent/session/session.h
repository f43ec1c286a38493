/* session.h - what others may know of this process while it runs, and when it was killed: a record in tmpfs. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"
#include "agent/format/causes.h"
#include "agent/format/session_files.h"
#include "config/config.h"

/* Never NULL once session_start() returned: without tmpfs it is private memory. */
extern struct session_status *session OURS;

/* Another in each forked child: what the parent's session numbered means nothing there. Never 0. */
extern uint32_t session_generation OURS;

/* So much more found no room in a table. */
ALWAYS_INLINE void session_beyond(enum session_limit limit, uint64_t n)
{
	atomic_fetch_add_explicit(&session->beyond[limit], n, memory_order_relaxed);
}

/* One more of what a session may have `most` of; count: of a session, generation << 32 | how many. False: it is beyond. */
bool session_has_room(_Atomic uint64_t *count, uint32_t most, enum session_limit limit);

void session_start(const struct config *config);

/* The next source that is listened to, of steps, stages or what else (kind). Returns its place; what does not fit is not told. */
unsigned int session_note_source(const char *kind, const char *name, const char *argument);

/* Of the source in that place, or of none: SOURCE_ flags; it was called; so many calls of it said nothing. */
void session_source_is(unsigned int place, uint64_t flags);
void session_source_called(unsigned int place);
void session_source_unread(unsigned int place, uint64_t calls);

/* A package has such a function, and this version. */
void session_note_package(const char *package, const char *version);

/* A stage of a role began, which has this number among those of the process. */
void session_note_stage(unsigned int number, const char *role);

/* Says goodbye: keeps the status record only if a launcher will collect it. */
void session_end(bool keep_status);

/* Says goodbye though not all is written: the rest stays for recovery. */
void session_leave(void);

/* Nobody else can read our status: there was no room for it in tmpfs. */
bool session_is_private(void);

/* Forgets the parent's session, folder and shared memory in a forked child. */
void session_forget(void);

/* Remembers a vendor library's path, for who asks before the trace is read. */
void session_note_library(const char *path);

/* The paths so far, newline between. */
void session_libraries(char *text, size_t size);

/* A line that standard error did not take: for the launcher and `ranktrace check` to say. */
void session_unsaid(const char *line);

/* First cause wins, but for those of steps; error is an errno or 0. False: another one stands. */
bool session_cause(enum session_cause cause, int error);

/* Whatever it was, it is not that of the window that opens now. */
void session_cause_over(void);

/* This one is no more, if it stands. */
void session_cause_gone(enum session_cause cause);
