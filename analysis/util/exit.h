/* exit.h - what a command's exit status says; 0: all is well. */
#pragma once

#define EXIT_LOST  1 /* something was lost, or nothing was found */
#define EXIT_USAGE 2
