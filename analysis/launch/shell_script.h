/* shell_script.h - what a shell will run of a command, and nobody looks into. */
#pragma once
#include <stdbool.h>

/* True: a script, *script; or a line of a shell's, with variables in what may be a trainer's command, where *script is NULL. */
bool shell_script_find(char *const *command, const char **script);
