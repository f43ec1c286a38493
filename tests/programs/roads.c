/*
 * roads.c - reaches a vendor library on every road that a program may take; the arguments say which.
 * Built twice: linked to the vendor library (LINKED), and without knowing it.
 */
#define _GNU_SOURCE
#ifndef LINKED
#define ROW_NAMES_ONLY
#endif
#include "tests/programs/call_rows.h"
#include "tests/fakes/opencl/fake_opencl.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void *open_or_die(const char *path)
{
	void *h = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!h) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	return h;
}

static void *symbol_or_die(void *h, const char *name)
{
	void *f = dlsym(h, name);

	if (!f) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	return f;
}

/* What a look-up brought: a function that answers, or NULL and a reason. */
static void say(const char *how, const char *name, void *f)
{
	const char *why = dlerror();

	if (f && why) /* what failed on the way is nobody's business */
		printf("%s %s found, and yet: %s\n", how, name, why);
	else if (f)
		printf("%s %s answers %d\n", how, name, (int)call_with_zeros(f));
	else
		printf("%s %s NULL: %s\n", how, name, why ? why : "no reason");
}

static void print_calls(const char *library, const char *label)
{
	unsigned long (*calls)(const char *) = symbol_or_die(open_or_die(library), "fake_calls");

	for (size_t i = 0; i < ROWS; i++)
		if (calls(rows[i].name))
			printf("called %s %lu%s\n", rows[i].name, calls(rows[i].name), label);
}

/* What a plugin that is opened in this way calls; its vendor prints its own counts. */
static void flush_of(const char *how, void *plugin)
{
	if (!plugin) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	printf("%s %d\n", how, ((int (*)(void))symbol_or_die(plugin, "plugin_flush"))());
	if (!strcmp(how, "deep"))
		((void (*)(const char *))symbol_or_die(plugin, "plugin_print"))("");
}

/* A kernel that nobody saw being made, by a handle of the library. */
static void launch(const char *library)
{
	typedef int (*launch_fn)(void *, void *, unsigned int, const size_t *, const size_t *, const size_t *,
				 unsigned int, const void *, void *);
	static uintptr_t kernel = 0x200000;
	static const size_t one[3] = { 1, 1, 1 };
	launch_fn f = (launch_fn)symbol_or_die(open_or_die(library), "clEnqueueNDRangeKernel");

	kernel += 64;
	printf("launch gives %d\n", f((void *)0x100000, (void *)kernel, 1, NULL, one, one, 0, NULL, NULL));
}

/* Every row by a handle of the library. */
static void by_handle(const char *library)
{
	void *h = open_or_die(library);

	for (size_t i = 0; i < ROWS; i++)
		call_with_zeros(symbol_or_die(h, rows[i].name));
	print_calls(library, "");
}

static void reopen(const char *library, int times)
{
	for (int i = 0; i < times; i++) {
		void *h = open_or_die(library);
		void *f = symbol_or_die(h, "clFinish");

		call_with_zeros(f);
		dlclose(h);
	}
}

/* Loaded, called and unloaded beside another that stays: the library's own counts go with it. */
static void come_and_go(const char *library, int times)
{
	uintptr_t place;
	int right = 0;

	for (int i = 0; i < times; i++) {
		void *h = open_or_die(library);

		right += call_with_zeros(symbol_or_die(h, "clFlush")) == 777;
		place = (uintptr_t)symbol_or_die(h, "fake_given") & ~4095ul;
		dlclose(h);
		/* The next time it lies elsewhere. */
		mmap((void *)place, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	}
	printf("called clFlush %d\n", right);
}

/* Loaded and unloaded with the plugin that is linked to it. */
static void reopen_plugin(const char *plugin, int times)
{
	for (int i = 0; i < times; i++) {
		void *h = open_or_die(plugin);

		((int (*)(void))symbol_or_die(h, "plugin_flush"))();
		dlclose(h);
	}
}

#ifdef LINKED
static void print_results(void)
{
	for (size_t i = 0; i < ROWS; i++)
		if (strcmp(rows[i].name, "clSVMFree")) /* returns nothing */
			printf("%s %lx\n", rows[i].name, (unsigned long)call_with_zeros(rows[i].function));
}

static void print_linked_calls(void)
{
	for (size_t i = 0; i < ROWS; i++)
		if (fake_calls(rows[i].name))
			printf("called %s %lu\n", rows[i].name, fake_calls(rows[i].name));
}

static void call_absent_functions(void)
{
	int err = 1;
	void *object = ((void *(*)(long, long, long, long, int *))(void *)clCreateSubBuffer)(0, 0, 0, 0, &err);

	printf("clFlush %d\n", (int)call_with_zeros((void *)clFlush));
	printf("clCreateSubBuffer %p %d\n", object, err);
	printf("clSVMAlloc %p\n", (void *)call_with_zeros((void *)clSVMAlloc));
	call_with_zeros((void *)clSVMFree);
	printf("clCreateCommandQueue %p\n", (void *)call_with_zeros((void *)clCreateCommandQueue));
}
#endif

static int run(char **a)
{
	if (!strcmp(a[0], "plugin"))
		((void (*)(const char *))symbol_or_die(open_or_die(a[1]), "plugin_all"))("");
	else if (!strcmp(a[0], "plugin-flush"))
		printf("flush %d\n", ((int (*)(void))symbol_or_die(open_or_die(a[1]), "plugin_flush"))());
	else if (!strcmp(a[0], "plugin-default"))
		printf("default %d\n", ((int (*)(void))symbol_or_die(open_or_die(a[1]), "plugin_by_default"))());
	else if (!strcmp(a[0], "deep"))
		flush_of("deep", dlopen(a[1], RTLD_NOW | RTLD_DEEPBIND));
	else if (!strcmp(a[0], "open-deep"))
		dlopen(a[1], RTLD_NOW | RTLD_DEEPBIND);
	else if (!strcmp(a[0], "namespace"))
		flush_of("namespace", dlmopen(LM_ID_NEWLM, a[1], RTLD_NOW));
	else if (!strcmp(a[0], "seek"))
		((void (*)(const char *))symbol_or_die(open_or_die("./seeker.so"), "seek"))(a[1]);
	else if (!strcmp(a[0], "launch"))
		launch(a[1]);
	else if (!strcmp(a[0], "asker"))
		((void (*)(const char *))symbol_or_die(open_or_die("./asker.so"), "asker_asks"))(a[1]);
	else if (!strcmp(a[0], "plugin-version"))
		printf("version %d\n", ((int (*)(void))symbol_or_die(open_or_die(a[1]), "plugin_by_version"))());
	else if (!strcmp(a[0], "plugin-print"))
		((void (*)(const char *))symbol_or_die(open_or_die(a[1]), "plugin_print"))("");
	else if (!strcmp(a[0], "handle"))
		by_handle(a[1]);
	else if (!strcmp(a[0], "print"))
		print_calls(a[1], "");
	else if (!strcmp(a[0], "open"))
		open_or_die(a[1]);
	else if (!strcmp(a[0], "open-global"))
		dlopen(a[1], RTLD_NOW | RTLD_GLOBAL);
	else if (!strcmp(a[0], "flush"))
		say("handle", "clFlush", dlsym(open_or_die(a[1]), "clFlush"));
	else if (!strcmp(a[0], "missing"))
		say("missing", "clNoSuchThing", dlsym(open_or_die(a[1]), "clNoSuchThing"));
	else if (!strcmp(a[0], "lacks"))
		say("lacks", "clFlush", dlsym(open_or_die(a[1]), "clFlush"));
	else if (!strcmp(a[0], "default"))
		say("default", a[1], dlsym(RTLD_DEFAULT, a[1]));
	else if (!strcmp(a[0], "self"))
		say("self", a[1], dlsym(dlopen(NULL, RTLD_NOW), a[1]));
	else if (!strcmp(a[0], "next"))
		say("next", a[1], dlsym(RTLD_NEXT, a[1]));
	else if (!strcmp(a[0], "version-handle"))
		say("version", "clFlush", dlvsym(open_or_die(a[1]), "clFlush", "OPENCL_1.0"));
	else if (!strcmp(a[0], "version-wrong"))
		say("version", "clFlush", dlvsym(open_or_die(a[1]), "clFlush", "OPENCL_9.9"));
	else if (!strcmp(a[0], "version-default"))
		say("version", a[1], dlvsym(RTLD_DEFAULT, a[1], "OPENCL_1.0"));
	else if (!strcmp(a[0], "version-next"))
		say("version", a[1], dlvsym(RTLD_NEXT, a[1], "OPENCL_1.0"));
	else if (!strcmp(a[0], "reopen"))
		reopen(a[1], 100);
	else if (!strcmp(a[0], "come-and-go"))
		come_and_go(a[1], 100);
	else if (!strcmp(a[0], "come-and-go-often"))
		come_and_go(a[1], 600);
	else if (!strcmp(a[0], "reopen-plugin"))
		reopen_plugin(a[1], 100);
	else if (!strcmp(a[0], "loader"))
		printf("driver %s\n", ((const char *(*)(const char *))symbol_or_die(open_or_die("./libOpenCL-loader.so.1"),
										    "loader_sees"))(a[1]));
#ifdef LINKED
	else if (!strcmp(a[0], "linked"))
		for (size_t i = 0; i < ROWS; i++)
			call_with_zeros(rows[i].function);
	else if (!strcmp(a[0], "linked-results"))
		print_results();
	else if (!strcmp(a[0], "linked-flush"))
		printf("flush %d\n", (int)call_with_zeros((void *)clFlush));
	else if (!strcmp(a[0], "linked-print"))
		print_linked_calls();
	else if (!strcmp(a[0], "absent"))
		call_absent_functions();
#endif
	else
		return 2;
	return 0;
}

/* Pairs: a road, and what it is to be tried with. */
int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2)
		if (run(argv + i)) {
			fprintf(stderr, "no road %s\n", argv[i]);
			return 2;
		}
	return 0;
}
