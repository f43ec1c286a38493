/* fork.h - a forked child has its parent's memory, and starts an agent of its own in it. */
#pragma once
#include <stdbool.h>

/* Makes the kernel wipe the gate in children, however they are forked. False: it does not. */
bool fork_wipes_gate(void);

/* In the child: what the parent left in our memory is the parent's. */
void fork_forget_parent(void);
