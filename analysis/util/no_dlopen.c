/* no_dlopen.c - what stands for dlopen() in the command: SQLite's library can open extensions, and nobody is to make it. */
#include <stddef.h>

/* Given by the linker (--wrap) to whoever calls dlopen() and its like. */
void *__wrap_dlopen(const char *file, int mode);
void *__wrap_dlsym(void *handle, const char *name);
int __wrap_dlclose(void *handle);
char *__wrap_dlerror(void);

void *__wrap_dlopen(const char *file, int mode)
{
	(void)file, (void)mode;
	return NULL;
}

void *__wrap_dlsym(void *handle, const char *name)
{
	(void)handle, (void)name;
	return NULL;
}

int __wrap_dlclose(void *handle)
{
	(void)handle;
	return -1;
}

char *__wrap_dlerror(void)
{
	static char why[] = "nothing is loaded here";

	return why;
}
