/* called.c - see called.h. */
#include "tests/sims/cuda/train/called.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define STEPS	64 /* and what lies outside of them, in the first place */
#define SYMBOLS 256

static const char *names[SYMBOLS]; /* the first is nobody */
static _Atomic unsigned long counts[STEPS + 1][SYMBOLS];
static _Atomic int current = -1;
static _Atomic int used = 1, lock;

static int number_of(const char *symbol)
{
	int i;

	while (atomic_exchange(&lock, 1))
		;
	for (i = 1; i < used && strcmp(names[i], symbol); i++)
		;
	names[i] = symbol;
	used += i == used;
	atomic_store(&lock, 0);
	return i;
}

void called(_Atomic int *number, const char *symbol)
{
	if (!*number)
		*number = number_of(symbol);
	atomic_fetch_add(&counts[current + 1][*number], 1);
}

void called_step(int step)
{
	current = step;
}

int called_now(void)
{
	return current;
}

void called_print(void)
{
	for (int step = -1; step < STEPS; step++)
		for (int i = 1; i < used; i++)
			if (counts[step + 1][i])
				printf("%d %s %lu\n", step, names[i], counts[step + 1][i]);
}

void check(int rc, const char *what, int wanted)
{
	if (rc == wanted)
		return;
	fprintf(stderr, "train: %s answered %d, not %d\n", what, rc, wanted);
	exit(1);
}

/* ---- roads ---- */

#ifdef DRIVER /* another library, which the program was told of */
#elif BY_HIP >= 7
#define DRIVER "libamdhip64.so.7"
#elif defined(BY_HIP)
#define DRIVER "libamdhip64.so"
#else
#define DRIVER "libcuda.so.1"
#endif

void *called_find(const char *symbol)
{
	static void *driver;
	void *found;

	if (!driver)
		driver = dlopen(DRIVER, RTLD_LAZY);
	found = driver ? dlsym(driver, symbol) : NULL;
	check(!found, symbol, 0);
	return found;
}

#ifdef BY_HIP
/* By its name; from 7 on that of the thread's stream by a flag, too. */
static void *ask_for(const char *symbol)
{
	static int (*ask)(const char *, void **, int, uint64_t, int *);
	size_t base = strlen(symbol) - 4;
	bool thread = BY_HIP >= 7 && !strcmp(symbol + base, "_spt");
	void *found = NULL;
	char name[128];
	int status;

	if (!ask)
		ask = (__typeof__(ask))called_find("hipGetProcAddress");
	snprintf(name, sizeof(name), "%.*s", (int)(thread ? base : base + 4), symbol);
	COUNT(hipGetProcAddress);
	check(ask(name, &found, 100 * BY_HIP, thread ? 2 : 0, &status), symbol, 0);
	return found;
}

/* Once for each name: a question is a call, which changes the last error. */
void *called_ask(const char *symbol)
{
	static void *known[SYMBOLS];
	int number = number_of(symbol);

	if (!known[number])
		known[number] = ask_for(symbol);
	return known[number];
}
#else
#include "tests/sims/cuda/train/resolved.h"

void *called_ask(const char *symbol)
{
	static int (*ask)(const char *, void **, int, uint64_t, int *);
	void *found = NULL;
	int status;

	if (!ask)
		ask = (__typeof__(ask))called_find("cuGetProcAddress_v2");
	for (size_t i = 0; i < sizeof(abis) / sizeof(*abis); i++)
		if (!strcmp(abis[i].symbol, symbol)) {
			COUNT(cuGetProcAddress_v2);
			check(ask(abis[i].name, &found, abis[i].version, abis[i].thread ? 2 : 1, &status), symbol, 0);
			return found;
		}
	check(1, symbol, 0);
	return NULL;
}
#endif
