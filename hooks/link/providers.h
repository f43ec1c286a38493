/* providers.h - the libraries behind us that define a name, and which of them a caller means. */
#pragma once
#include "agent/os/elf.h"

#define PROVIDERS 8

struct providers {
	const char *name;
	unsigned int count, places; /* places: objects seen */
	bool passed;		    /* ourselves, in link-map order */
	struct {
		struct elf_object object;
		void *function;
		unsigned int place; /* of the object, in link-map order, from 0 */
	} found[PROVIDERS];
};

/* Called by the constructor: what is loaded by now is what the program was started with. */
void providers_started(void);

void providers_find(struct providers *d, const char *name);

/* One of the vendor's own libraries? libOpenCL also covers libOpenCL-1a2b.so.1 of a Python wheel. */
bool providers_family(const char *soname, const char *family);

/*
 * The number of the one meant: a preloaded tool, which passes the call on itself, or what the caller depends
 * on, if none was there from the start. hint: what dlsym gave our function out for, or NULL.
 */
unsigned int providers_choose(const struct providers *d, const char *family, const void *caller, const void *hint);
