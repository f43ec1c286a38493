/*
 * symbol_row.c - in iteration n it makes n launches, one clFinish by the road that the argument names, and ten
 * launches more. Prints how often the vendor's own counter saw clFinish.
 * PLUGIN: a library that is opened later, and calls clFinish itself.
 */
#define _GNU_SOURCE
#include "tests/fakes/opencl/fake_opencl.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int clFinish(void *);

#ifdef PLUGIN
int plugin_finish(void *queue);
int plugin_finish(void *queue)
{
	return clFinish(queue);
}
#else

int clEnqueueNDRangeKernel(void *, void *, unsigned, const size_t *, const size_t *, const size_t *, unsigned,
			   const void *, void **);

static int linked(void *queue)
{
	return clFinish(queue);
}

static int (*opened(const char *library))(void *)
{
	void *h = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	int (*f)(void *) = h ? (int (*)(void *))dlsym(h, "plugin_finish") : NULL;

	if (!f) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	return f;
}

static int (*find(const char *road))(void *)
{
	void *f = NULL;

	if (strstr(road, "libOpenCL"))
		f = dlsym(dlopen(road, RTLD_NOW | RTLD_LOCAL), "clFinish");
	else if (!strcmp(road, "default"))
		f = dlsym(RTLD_DEFAULT, "clFinish");
	else if (!strcmp(road, "next"))
		f = dlsym(RTLD_NEXT, "clFinish");
	else if (!strcmp(road, "version"))
		f = dlvsym(RTLD_DEFAULT, "clFinish", "OPENCL_1.0");
	else if (!strncmp(road, "./", 2))
		return opened(road);
	else
		return strcmp(road, "address") ? linked : clFinish;
	return (int (*)(void *))f;
}

static void launches(int n)
{
	while (n--)
		clEnqueueNDRangeKernel(NULL, NULL, 0, NULL, NULL, NULL, 0, NULL, NULL);
}

int main(int argc, char **argv)
{
	const char *road = argc > 1 ? argv[1] : "linked";

	for (int n = 1; n <= 6; n++) {
		int (*finish)(void *) = find(road);

		launches(n);
		printf("%d\n", finish(NULL));
		launches(10);
	}
	printf("%lu\n", fake_calls("clFinish"));
	return 0;
}
#endif
