/*
 * many_libraries.c - many libraries of one vendor in one program, each used by its handle and by a plugin that is linked
 * to it. As VENDOR a library, as PLUGIN who calls it, else the program: many_libraries FOLDER COUNT FILLERS. What stands
 * for the number is changed in copies of the files.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* Every call fails, with the number of the library: what it is given is not looked at. */
#if defined(VENDOR)
static const volatile char number[] = "@v00@"; /* not for the compiler to know */

static int answer(void)
{
	return 1 + 10 * (number[2] - '0') + (number[3] - '0');
}

#define NAME(name)               \
	int name(void)           \
	{                        \
		return answer(); \
	}
#include "names.h"

#elif defined(PLUGIN)
int clFlush(void *);

int plugin_call(void)
{
	return clFlush(NULL);
}

#else
static const char *const names[] = {
#define NAME(name) #name,
#include "names.h"
};

static int failed;

static void *opened(const char *format, const char *folder, int i)
{
	char path[512];
	void *handle;

	snprintf(path, sizeof(path), format, folder, i);
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		printf("%s\n", dlerror());
		exit(1);
	}
	return handle;
}

static void wanted(const char *what, int i, int got)
{
	if (got == i + 1)
		return;
	if (failed++ < 5)
		printf("%s of library %d reaches library %d\n", what, i, got - 1);
}

static void *call_plugin(const char *format, const char *folder, int i, int library)
{
	void *handle = opened(format, folder, i);
	int (*call)(void) = (int (*)(void))dlsym(handle, "plugin_call");

	wanted(format, library, call());
	return handle;
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 0, fillers = argc > 3 ? atoi(argv[3]) : 0;
	static void *vendors[100], *plugins[100];
	unsigned long calls = 0;

	for (int i = 0; i < count; i++) {
		vendors[i] = opened("%s/libOpenCL-v%02d.so.1", argv[1], i);
		for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++, calls++)
			wanted(names[k], i, ((int (*)(void *, void *, void *, void *, void *, void *))dlsym(vendors[i], names[k]))(0, 0, 0, 0, 0, 0));
	}
	for (int i = 0; i < count; i++, calls++)
		plugins[i] = call_plugin("%s/plugin-v%02d.so", argv[1], i, i);
	for (int i = 0; i < fillers; i++)
		opened("%s/filler-%03d.so", argv[1], i);
	call_plugin("%s/deep-v%02d.so", argv[1], 5, 5);
	for (int i = 0; i < count; i++) {
		dlclose(plugins[i]);
		dlclose(vendors[i]);
	}
	for (int i = 0; i < count; i++, calls++)
		call_plugin("%s/plugin-v%02d.so", argv[1], i, i);
	printf("%lu\n", calls + 1);
	return failed > 0;
}
#endif
