/*
 * ray.h - a Ray cluster that was there before the command: its workers have the environment in which `ray start` ran, and not the
 * command's, unless the job hands them variables (runtime_env).
 */
#pragma once

/*
 * The command with words that hand its workers LD_PRELOAD and the RANKTRACE_ variables, where such a cluster runs and the command is
 * a trainer's that passes such words on; else the command itself. What is done, or has to be, is said on stderr. For as long as we run.
 */
char **ray_command(char **command, const char *preload, const char *save_path);
