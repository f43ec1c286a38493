/*
 * roads_plugin.c - a library that is linked to a vendor library, as a Python extension would be:
 * opened RTLD_LOCAL, neither it nor its vendor is in the program's own scope.
 */
#define _GNU_SOURCE
#include "tests/programs/call_rows.h"
#include "tests/fakes/opencl/fake_opencl.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int plugin_flush(void);
void plugin_all(const char *label);
void plugin_print(const char *label);
int plugin_by_default(void);
int plugin_by_version(void);

/* The number of the vendor library that the call arrived at. */
int plugin_flush(void)
{
	return (int)call_with_zeros((void *)clFlush);
}

void plugin_print(const char *label)
{
	for (size_t i = 0; i < ROWS; i++)
		if (fake_calls(rows[i].name))
			printf("called %s %lu%s\n", rows[i].name, fake_calls(rows[i].name), label);
}

void plugin_all(const char *label)
{
	for (size_t i = 0; i < ROWS; i++)
		call_with_zeros(rows[i].function);
	plugin_print(label);
}

/* RTLD_DEFAULT means the caller's scope: here it holds the vendor library, in the program it does not. */
int plugin_by_default(void)
{
	void *f = dlsym(RTLD_DEFAULT, "clFlush");

	return f ? (int)call_with_zeros(f) : -1;
}

int plugin_by_version(void)
{
	void *f = dlvsym(RTLD_DEFAULT, "clFlush", "OPENCL_1.0");

	return f ? (int)call_with_zeros(f) : -1;
}

#ifdef EARLY
static void *early_call(void *unused)
{
	(void)unused;
	printf("early %d\n", plugin_flush());
	fflush(stdout);
	return NULL;
}

/* Runs before the constructors of libraries that were preloaded in front of it. */
__attribute__((constructor)) static void early(void)
{
	if (strcmp(program_invocation_short_name, "linked") && strcmp(program_invocation_short_name, "roads"))
		return; /* the shells that lead there */
#ifdef BY_THREAD
	pthread_t thread; /* not thrd_create(): ThreadSanitizer does not see it, and dies of such a thread */

	pthread_create(&thread, NULL, early_call, NULL);
	pthread_join(thread, NULL);
#else
	early_call(NULL);
#endif
}
#endif
