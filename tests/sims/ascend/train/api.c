/* api.c - see api.h. */
#include "tests/sims/ascend/train/api.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 64 /* and what lies outside of them, in the first place */

struct api api;

static _Atomic unsigned long counts[STEPS + 1][NUMBERS];
static _Atomic int current = -1;

static const char *const names[] = {
#define NAME(library, symbol) #symbol,
	ALL(NAME)
};

void api_count(enum number number)
{
	atomic_fetch_add(&counts[current + 1][number], 1);
}

void api_step(int step)
{
	current = step;
}

int api_current(void)
{
	return current;
}

void api_print(void)
{
	for (int step = -1; step < STEPS; step++)
		for (int i = 0; i < NUMBERS; i++)
			if (counts[step + 1][i])
				printf("%d %s %lu\n", step, names[i], counts[step + 1][i]);
}

/* ---- roads ---- */

static __attribute__((unused)) void *by_handle(const char *library, const char *symbol)
{
	char soname[64];
	void *handle, *found;

	snprintf(soname, sizeof(soname), "%s.so", library);
	handle = dlopen(soname, RTLD_LAZY);
	found = handle ? dlsym(handle, symbol) : NULL;
	if (!found) {
		fprintf(stderr, "train: no %s in %s\n", symbol, soname);
		exit(1);
	}
	return found;
}

/* As torch_npu from 26.1 on: whoever was preloaded may have it. */
static __attribute__((unused)) void *by_road(bool by_default, const char *library, const char *symbol)
{
	void *found = by_default ? dlsym(RTLD_DEFAULT, symbol) : NULL;

	return found ? found : by_handle(library, symbol);
}

void api_find(const char *road)
{
	bool by_default = !strcmp(road, "default");

#define LINK(library, symbol) api.symbol = symbol;
#define ROAD(library, symbol) api.symbol = (__typeof__(api.symbol))by_road(by_default, #library, #symbol);
#define HAND(library, symbol) api.symbol = (__typeof__(api.symbol))by_handle(#library, #symbol);
	IMPORTED(LINK)
#ifdef LINKED
	(void)by_default;
	LOOKED_UP(LINK)
	BY_HANDLE(LINK)
#else
	LOOKED_UP(ROAD)
	BY_HANDLE(HAND)
#endif
}
