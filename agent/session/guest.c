#include "agent/session/guest.h"
#include <stddef.h>

_Atomic(const struct agent_guest *) agent_guest = NULL;
