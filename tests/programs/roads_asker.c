/* roads_asker.c - a library without a vendor that looks whether there is one, on its own behalf. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

void asker_asks(const char *name);

static void say(const char *how, void *f)
{
	const char *why = dlerror();

	printf("asker %s %s: %s\n", how, f ? "finds it" : "finds nothing", why ? why : "no reason");
}

void asker_asks(const char *name)
{
	say("default", dlsym(RTLD_DEFAULT, name));
	say("next", dlsym(RTLD_NEXT, name));
	say("program", dlsym(dlopen(NULL, RTLD_NOW), name));
}
