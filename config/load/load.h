/* load.h - settings from where users write them: the YAML file, then the environment. */
#pragma once
#include "config/loader.h"

/*
 * Defaults, then the YAML file named by RANKTRACE_CONFIG, then RANKTRACE_* variables.
 * Returns 0, or -EINVAL with one line in error that names file, line or variable, and the remedy.
 */
int config_load(struct config *c, char *error, size_t size);

/* Of a variable RANKTRACE_... of the environment that means nothing: the line to be said. False: there is none. */
bool config_stray_variable(char *line, size_t size);

/* Each of these is one layer. They return 0, or -EINVAL with a line in the loader's error. */
int load_yaml(struct loader *l, const char *path, bool may_wait); /* for a pipe's other end */
int load_command(struct loader *l);				  /* where no file is given, which else comes with it */
int load_environment(struct loader *l);

/* Has a file's text read. Returns what the reader returns, or -EINVAL as above. */
typedef int (*load_reader)(void *reader, const char *path, const char *text, size_t length);
int load_file(struct loader *l, const char *path, bool may_wait, load_reader read, void *reader);
