/*
 * loader.h - settings arrive in layers: defaults, YAML, environment, options of ranktrace-run. A
 * later layer wins; contradictions inside one layer are errors. config_load() runs the first three.
 */
#pragma once
#include "config/option.h"

#define WHERE_SIZE 1152 /* "<path of the file>:<line>: <key>" */

struct loader {
	struct config *c;
	char *error; /* the line that the caller will print */
	size_t size;
	uint32_t given;		      /* 1 << option: said in this layer */
	char range_where[WHERE_SIZE]; /* who last said step_start or step_end */
	char path_where[WHERE_SIZE];  /* who last said save_path; empty: nobody */
};

/* Sets the defaults. */
void loader_begin(struct loader *l, struct config *c, char *error, size_t size);

/* Each of these is one layer. They return 0, or -EINVAL with a line in error. */
int loader_yaml(struct loader *l, const char *path);
int loader_environment(struct loader *l);
void loader_layer(struct loader *l); /* begins a layer that loader_set() fills */

/* One value; where begins a complaint: "RANKTRACE_STEPS", "--steps", "profile.yaml:3: steps". */
int loader_set(struct loader *l, enum option_id id, const char *where, const char *text);

/* Folds step_start and step_end into steps, makes save_path absolute, checks what needs both. */
int loader_finish(struct loader *l);
