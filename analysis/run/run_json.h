/* run_json.h - run.json: what a launch asked for, and what became of every process that it saw. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/format/limits.h"
#include "agent/format/trace_file.h"
#include "config/config.h"

#define RUN_BEGIN "{\"version\":" /* of each file */

/*
 * The fields of a process: TEXT(name, size), NUMBER(name), MAYBE(name, none) where none is null.
 * Struct, writer and reader are made from this list; docs/format.md tells the meaning.
 */
/* clang-format off: it takes a list of macros for nested statements */
#define PROCESS_FIELDS(TEXT, NUMBER, MAYBE) \
	TEXT(host, 64)                      \
	NUMBER(pid)                         \
	MAYBE(rank, -1)                     \
	TEXT(rank_source, 32)               \
	TEXT(worker_group, 128)             \
	TEXT(state, 16)                     \
	TEXT(cause, 32)                     \
	NUMBER(error)                       \
	TEXT(detail, 512)                   \
	TEXT(save_path, 1024)               \
	TEXT(note, 64)                      \
	TEXT(unsaid, 512)                   \
	MAYBE(last_step, STEP_NULL)         \
	NUMBER(boundaries)                  \
	TEXT(step_source, 128)              \
	TEXT(waited_for, 512)               \
	NUMBER(waited_seconds)              \
	TEXT(packages, 256)                 \
	NUMBER(windows)                     \
	NUMBER(minis)                       \
	NUMBER(micros)                      \
	NUMBER(kept)                        \
	NUMBER(entered)                     \
	NUMBER(dropped)                     \
	NUMBER(no_ring)                     \
	NUMBER(unselected)                  \
	NUMBER(recovered)                   \
	NUMBER(lost_buffers)                \
	MAYBE(signal, -1)                   \
	TEXT(in_call, 160)                  \
	NUMBER(untimed)                     \
	NUMBER(queue_waits)                 \
	NUMBER(queue_wait_ns)               \
	NUMBER(files)                       \
	NUMBER(bytes)                       \
	TEXT(file, 1100)                    \
	NUMBER(unrecorded_calls)            \
	SESSION_LIMITS(NUMBER)
/* clang-format on */

/* Names, and how often each was met. */
struct run_counts {
	unsigned int count;
	struct run_count {
		char *name;
		int64_t times;
	} * list;
};

/*
 * unrecorded: calls of entry points that the level left out; stages: by role, how often each was entered; sources: what is listened to
 * (step kernel:REGEX), and how often it told something, or SOURCE_AWAY ..; of functions of Python (stage python:MODULE:PATH) their calls,
 * and in unread those whose arguments could not be read, which say nothing.
 */
#define PROCESS_COUNTS(COUNTS) \
	COUNTS(sources)        \
	COUNTS(stages)         \
	COUNTS(unread)         \
	COUNTS(unrecorded)

#define SOURCE_AWAY   -1 /* its module was not imported, its library not loaded */
#define SOURCE_ABSENT -2 /* that has no such function */

struct run_process {
#define TEXT(name, size)  char name[size];
#define NUMBER(name)	  int64_t name;
#define MAYBE(name, none) int64_t name;
	PROCESS_FIELDS(TEXT, NUMBER, MAYBE)
#undef TEXT
#undef NUMBER
#undef MAYBE
	int64_t waiting;		     /* events that no file has yet; found out anew, not in run.json */
	bool guarded;			     /* its launcher will save them */
	bool stale;			     /* its state is what it was when its launcher ended */
	bool broken;			     /* a file is damaged; found out anew, too, as are: */
	bool by_files;			     /* nothing but its files told of it */
	char damaged[1100];		     /* that file */
	const struct run_untraced *untraced; /* this one, where it is no process of ours */
	int64_t failed;			     /* calls */
	char failure[256];		     /* how most of them did */
	char libraries[4096];		     /* newline between */
#define COUNTS(name) struct run_counts name;
	PROCESS_COUNTS(COUNTS)
#undef COUNTS
};

/* The same for the run itself; what was asked for is a struct config beside it. */
/* clang-format off: it takes a list of macros for nested statements */
#define RUN_FIELDS(TEXT, NUMBER, MAYBE) \
	TEXT(host, 64)                  \
	TEXT(launch, 64)                \
	TEXT(started, 32)               \
	TEXT(ended, 32)                 \
	MAYBE(exit_status, -1)          \
	MAYBE(signal, -1)               \
	TEXT(program, 4096)             \
	TEXT(program_kind, 16)          \
	TEXT(environment, 32)           \
	MAYBE(loads, -1)
/* clang-format on */

/* A process below the launcher that was seen without us (untraced.h), of each program one. */
/* clang-format off: it takes a list of macros for nested statements */
#define UNTRACED_FIELDS(TEXT, NUMBER, MAYBE) \
	NUMBER(pid)                          \
	TEXT(program, 64)                    \
	TEXT(library, 128)                   \
	TEXT(why, 16)
/* clang-format on */

#define UNTRACED_SANDBOXED "sandboxed"

struct run_untraced {
#define TEXT(name, size)  char name[size];
#define NUMBER(name)	  int64_t name;
#define MAYBE(name, none) int64_t name;
	UNTRACED_FIELDS(TEXT, NUMBER, MAYBE)
#undef TEXT
#undef NUMBER
#undef MAYBE
	int64_t user; /* where that matters */
	bool said;    /* on our standard error; not in run.json */
};

/* How a child of the launcher's ended: its own command, and orphans that it inherited. */
struct run_child {
	pid_t pid;
	int status; /* as waitpid() gave it */
};

struct run {
#define TEXT(name, size)  char name[size];
#define NUMBER(name)	  int64_t name;
#define MAYBE(name, none) int64_t name;
	RUN_FIELDS(TEXT, NUMBER, MAYBE)
#undef TEXT
#undef NUMBER
#undef MAYBE
	struct config asked;
	unsigned int child_count;
	struct run_child *children; /* not read back */
	char **command;		    /* as typed; read back as: */
	char *command_line;	    /* its words, blanks between; NULL: it has none */
	unsigned int untraced_count;
	struct run_untraced *untraced;
	unsigned int count;
	struct run_process *processes;
};

struct run_process *run_add(struct run *r);
struct run_untraced *run_add_untraced(struct run *r);
void run_add_count(struct run_counts *c, const char *name, size_t length, int64_t times);
void run_clear_counts(struct run_counts *c);

/* Writes run.json into the folder, or run-<host>-<launch>.json if another launcher did. 0 or -errno. */
int run_write(const struct run *r, int folder);

/* 0, -errno, or -EINVAL: no run.json. Adds the processes to what r holds already. */
int run_read(struct run *r, const char *path);
void run_free(struct run *r);
