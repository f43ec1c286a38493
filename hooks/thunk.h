/* thunk.h - a way in of its own for every second provider of a name: which real function, then the wrapper. */
#pragma once
#include <stddef.h>

#define THUNKS 512 /* size of the pool in thunk.S */

struct hook_entry {
	void *exported; /* what a linked caller reaches */
	void *thunked;	/* the same, with the real function in producer.through */
};
extern const struct hook_entry hook_entries[];

/* Filled before a thunk is handed out; thunk.S reads it. */
struct thunk {
	void *real;
	void *entry; /* hook_entry.thunked */
};
extern struct thunk thunks[THUNKS];

/* Address of thunk number i. */
void *thunk_address(size_t i);
