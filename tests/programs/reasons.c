/*
 * reasons.c - what dlerror() says of functions that nobody has, to a program that is called otherwise than it was started:
 * reasons nameless|renamed|overwritten|retitled|started-without|threads
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *program;

static void *look(void *name)
{
	size_t n = strlen(name), wrong = 0;

	for (int i = 0; i < 20000; i++) {
		const char *why = dlsym(program, name) ? NULL : dlerror();
		size_t length = why ? strlen(why) : 0;

		wrong += length < n || strcmp(why + length - n, name);
	}
	return (void *)wrong;
}

static void of_threads(void)
{
	pthread_t one, two;
	void *wrong_one, *wrong_two;

	pthread_create(&one, NULL, look, "clFinish");
	pthread_create(&two, NULL, look, "clEnqueueNDRangeKernel");
	pthread_join(one, &wrong_one);
	pthread_join(two, &wrong_two);
	printf("%zu and %zu reasons of others\n", (size_t)wrong_one, (size_t)wrong_two);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	program = dlopen(NULL, RTLD_NOW);
	if (!strcmp(how, "nameless"))
		program_invocation_name = NULL;
	if (!strcmp(how, "renamed"))
		program_invocation_name = "renamed";
	if (!strcmp(how, "overwritten"))
		argv[0] = "overwritten";
	if (!strcmp(how, "retitled"))
		strcpy(argv[0], "T");
	if (!strcmp(how, "started-without"))
		execv("/proc/self/exe", (char *[]){ NULL });
	if (!strcmp(how, "threads"))
		of_threads();
	dlsym(program, "clFinish");
	puts(dlerror());
	dlsym(RTLD_DEFAULT, "clFinish");
	puts(dlerror());
	dlsym(RTLD_NEXT, "clFinish");
	puts(dlerror());
	dlsym(RTLD_DEFAULT, "no_such_name");
	puts(dlerror());
	return 0;
}
