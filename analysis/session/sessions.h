/* sessions.h - this user's sessions in tmpfs: whose they are, whether their process lives. */
#pragma once
#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>

#include "agent/format/session_files.h"

#define SESSION_PATH 512

struct session_entry {
	char path[SESSION_PATH];
	struct session_status *status;
	bool alive; /* the process runs, or runs where we cannot see it */
};

/* What another release of ranktrace left, or writes: its record cannot be read. */
struct foreign_session {
	char path[SESSION_PATH];
	uint32_t pid;
	bool alive;
};

struct sessions {
	size_t count, foreign_count;
	struct session_entry *list;
	struct foreign_session *foreign;
};

/* SESSION_ROOT-<uid>, or with RANKTRACE_SESSION_ROOT in place of SESSION_ROOT. */
void sessions_root(char *path, size_t size);

/* /dev/shm is open to all: a folder that somebody else planted is not opened. NULL: there is none. */
DIR *sessions_open(char *root, size_t size);

/* Can processes have sessions there? 0, or -errno; -EPERM: others may write there, or it is theirs. */
int sessions_possible(const char *root);

void sessions_read(struct sessions *s);
void sessions_free(struct sessions *s);

/* The session whose process writes this trace; NULL: there is none. */
const struct session_entry *sessions_of_file(const struct sessions *s, uint64_t file_id);

void session_delete(const char *path);

/* No process of our pid namespace has this number, or it has ended and is not waited for yet. */
bool sessions_pid_is_free(uint32_t pid);

/* Does its process trace into this folder: a save_path, or the folder of a job in it? */
bool session_traces_into(const struct session_entry *s, const char *folder);

/* Process and rings are over, whatever the status says. */
bool session_is_over(const struct session_entry *s);

/* It is over, and was not killed: it ended before all was written. */
bool session_has_left(const struct session_entry *s);
