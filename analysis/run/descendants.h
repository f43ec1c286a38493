/* descendants.h - the processes below this one, by /proc. */
#pragma once
#include <stdint.h>
#include <sys/types.h>

struct descendant {
	pid_t pid, parent;
	uint64_t start; /* of the process, in clock ticks */
	uint64_t stack; /* where it begins: another place after each exec; 0: the kernel does not tell us */
	char name[64];	/* at most 15 letters of the program's, or what it calls itself */
};

/* Of those that have not ended. They stand in no order. */
void descendants_visit(void (*visit)(void *context, const struct descendant *d), void *context);
