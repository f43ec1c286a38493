/* agent.h - one agent in a process: start at the first hooked call, stop at exit. */
#pragma once
#include "agent/session/guest.h"

/* What the constructor does for the agent, and who it works for. */
void agent_loaded(const struct agent_guest *guest);

/*
 * The first hooked call of a process (or of a forked child) comes here. errno is kept. Not in a signal
 * handler nor in a vfork child: then the gate stays 0, and the next call comes here again.
 */
void agent_start(void);
