/* commands.h - the subcommands of `ranktrace`: one function each, one file each. */
#pragma once

#include "analysis/util/exit.h"

int cmd_report(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_recover(int argc, char **argv);
int cmd_hooks(int argc, char **argv);
int cmd_env(int argc, char **argv);
int cmd_supervise(int argc, char **argv);
int cmd_check(int argc, char **argv);
