/*
 * all_but.c NAME - calls every row's function but one, which its vendor library may lack, and prints what
 * they gave, whether a look-up finds that one, and how often the library was called. Linked lazily: a
 * program that never calls what is not there never notices.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

unsigned long fake_calls(const char *name);

#include "hooks/rows/one_form.h"
#define HOOK_AS(sym, kind)
#define HOOK(ret, sym, ...)                                                         \
	uintptr_t sym();                                                            \
	static uintptr_t call_##sym(void)                                           \
	{                                                                           \
		return sym(0l, 0l, 0l, 0l, 0l, 0l, 0l, 0l, 0l, 0l, 0l, 0l, 0l, 0l); \
	}
#include "hooks/opencl/opencl.def"
#undef HOOK
#undef HOOK_VOID
#define HOOK_VOID(sym, ...) { #sym, call_##sym, 1 },
#define HOOK(ret, sym, ...) { #sym, call_##sym, 0 },
static const struct row {
	const char *name;
	uintptr_t (*call)(void);
	int is_void;
} rows[] = {
#include "hooks/opencl/opencl.def"
};
#define ROWS (sizeof(rows) / sizeof(*rows))

static void look(const char *how, const char *name, void *f)
{
	const char *why = dlerror();

	printf("%s %s %s: %s\n", how, name, f ? "found" : "NULL", why ? why : "no reason");
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	for (size_t i = 0; i < ROWS; i++) {
		uintptr_t result = strcmp(rows[i].name, name) ? rows[i].call() : 0;

		printf("%s %lx\n", rows[i].name, rows[i].is_void ? 0ul : (unsigned long)result);
	}
	look("default", name, dlsym(RTLD_DEFAULT, name));
	look("next", name, dlsym(RTLD_NEXT, name));
	look("self", name, dlsym(dlopen(NULL, RTLD_NOW), name));
	look("handle", name, dlsym(dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD), name));
	look("version", name, dlvsym(RTLD_DEFAULT, name, "OPENCL_1.0"));
	for (size_t i = 0; i < ROWS; i++)
		if (fake_calls(rows[i].name))
			printf("called %s %lu\n", rows[i].name, fake_calls(rows[i].name));
	return 0;
}
