/* session.h - our folder in tmpfs: what survives kill -9, and where memory comes from. */
#pragma once
#include "config/config.h"
#include "trace_file.h"
#include "own.h"

/* Never NULL once session_start() returned: without tmpfs it is private memory. */
extern struct session_status *session OURS;

void session_start(const struct config *config);

/* Memory that survives us if tmpfs has room, else memfd, else private; NULL beyond the caps. */
void *session_segment(const char *name, unsigned int number, size_t size);

/* Deletes a segment's name; the mapping stays. */
void session_unlink(const char *name, unsigned int number);

/* Says goodbye: keeps the status record only if a launcher will collect it. */
void session_end(bool keep_status);

/* tmpfs, memfd or anonymous: what the rings live in. */
const char *session_backing(void);

/* Does what the rings hold survive us? */
bool session_safe(void);

/* Nobody else can read our status: there was no room for it in tmpfs. */
bool session_is_private(void);

/* Forgets the parent's session in a forked child; its mappings are left alone. */
void session_forget(void);

/* Remembers a vendor library's path. True if it is new. */
bool session_note_library(const char *path);

/* The paths so far, newline between. */
void session_libraries(char *text, size_t size);

/* First cause wins; error is an errno or 0. */
void session_cause(enum session_cause cause, int error);
