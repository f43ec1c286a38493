/* commands.h - the subcommands of `ranktrace`: one function each, one file each, one line in commands.def each. */
#pragma once

#define EXIT_LOST	    1 /* something was lost, or nothing was found */
#define EXIT_USAGE	    2

#define COMMAND(name, help) int cmd_##name(int argc, char **argv);
#include "analysis/commands/commands.def"
#undef COMMAND
