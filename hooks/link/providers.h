/* providers.h - the libraries behind us that define a name, and which of them a caller means. */
#pragma once
#include "agent/os/elf.h"

struct provider {
	struct elf_object object;
	void *function;
	unsigned int place; /* of the object, in link-map order, from 0 */
};

/* Called by the constructor: what is loaded by now is what the program was started with. */
void providers_started(void);

/* How many libraries define the name; the first of them. */
unsigned int providers_count(const char *name, struct provider *first);

/* Is one of them the owner of this function? */
bool providers_have(const char *name, const void *function, struct provider *found);

/*
 * The first one becomes the one meant: that is a preloaded tool, which passes the call on itself, or what the caller
 * depends on, if none was there from the start. hint: what dlsym gave our function out for, or NULL.
 */
void providers_choose(const char *name, const char *family, const void *caller, const void *hint, struct provider *p);
