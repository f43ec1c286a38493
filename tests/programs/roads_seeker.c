/* roads_seeker.c - opens a library that only its own RUNPATH leads to. */
#include <dlfcn.h>
#include <stdio.h>

void seek(const char *name);

void seek(const char *name)
{
	void *h = dlopen(name, RTLD_NOW);
	const char *why = dlerror();

	printf("seeking %s: %s\n", name, h ? "found" : why ? why
							   : "no reason");
}
