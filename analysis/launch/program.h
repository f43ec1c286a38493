/* program.h - what a command is before it runs, and why a preload would miss it. */
#pragma once
#include <stdbool.h>
#include <limits.h>
#include <stddef.h>

enum program_kind {
	PROGRAM_FINE,
	PROGRAM_MISSING, /* not in PATH, or not executable */
	PROGRAM_STATIC,
	PROGRAM_PRIVILEGED, /* setuid, setgid or file capabilities: the loader drops LD_PRELOAD */
	PROGRAM_FOREIGN,    /* another architecture, or 32 bit */
};

struct program {
	enum program_kind kind;
	char path[PATH_MAX];   /* of the ELF file: a script's interpreter, not the script */
	char sanitizer[64];    /* libasan.so.8 if it needs one, which must be preloaded first */
	char python[PATH_MAX]; /* the Python that it is, or that its script is for; empty: none */
};

/* The name that run.json and tests use: "fine", "static" ... */
extern const char *const program_words[];

void program_inspect(struct program *p, const char *command);
