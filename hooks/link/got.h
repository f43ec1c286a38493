/* got.h - the pointers in loaded objects' tables that calls of other objects' functions go through. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slot {
	void **at;
	const char *name; /* of the function */
	bool read_only;
};

/* Calls visit for every slot of every loaded object but ours. */
void got_walk(void (*visit)(const struct slot *));

/* A slot that is not to be had stays as it is. */
void got_write(const struct slot *slot, void *value);
