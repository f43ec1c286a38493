/* sandbox.h - does a seccomp filter stand over this thread that the program itself has set? It may end whoever makes a call that it does not know. */
#pragma once
#include <stdbool.h>
#include "agent/base/attributes.h"

/* In the constructor: what stood before the program's first line (a container's filter) is made for programs of any kind. */
BARE void sandbox_loaded(void);

/* A filter has come since, and nobody said (RANKTRACE_SANDBOX=allowed) that ours are among the calls it allows. */
bool sandbox_is_the_programs(void);

/* That was found: no system call may be made. Makes none. */
bool sandbox_keeps_out(void);
