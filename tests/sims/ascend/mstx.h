/*
 * mstx.h - how a module that uses the header of mstx finds its tool: on the first call InitInjectionMstx of
 * MSTX_INJECTION_PATH, or of the global scope, is given the tables of this module's own pointers to fill.
 */
#pragma once
#include "tests/sims/ascend/abi.h"
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

typedef void (*mstx_function)(void);
typedef mstx_function **mstx_table;
typedef int (*mstx_get_table)(int module, mstx_table *table, unsigned int *size);

/* The slots of the modules core, domain and memory; 0 is none. */
enum { MSTX_CORE = 1,
       MSTX_DOMAIN,
       MSTX_MEMORY };
enum { MSTX_MARK = 1,
       MSTX_RANGE_START,
       MSTX_RANGE_END,
       MSTX_CORE_SLOTS };
enum { MSTX_DOMAIN_CREATE = 1,
       MSTX_DOMAIN_DESTROY,
       MSTX_DOMAIN_MARK,
       MSTX_DOMAIN_RANGE_START,
       MSTX_DOMAIN_RANGE_END,
       MSTX_DOMAIN_SLOTS };
enum { MSTX_HEAP_REGISTER = 1,
       MSTX_HEAP_UNREGISTER,
       MSTX_REGIONS_REGISTER,
       MSTX_REGIONS_UNREGISTER,
       MSTX_MEMORY_SLOTS };

static mstx_function __attribute__((unused)) mstx_functions[4][8];

static inline int mstx_get(int module, mstx_table *table, unsigned int *size)
{
	static const unsigned int sizes[] = { 0, MSTX_CORE_SLOTS, MSTX_DOMAIN_SLOTS, MSTX_MEMORY_SLOTS };
	static mstx_function *addresses[4][8];

	if (module < MSTX_CORE || module > MSTX_MEMORY)
		return 1;
	for (unsigned int i = 0; i < sizes[module]; i++)
		addresses[module][i] = &mstx_functions[module][i];
	*table = addresses[module];
	*size = sizes[module];
	return 0;
}

/* Whoever comes while another thread begins waits for it. */
static inline void mstx_begin(void)
{
	static int state; /* 0, 1: somebody is at it, 2: done */
	int untouched = 0;
	const char *path;
	int (*begin)(mstx_get_table);

	if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == 2)
		return;
	if (!__atomic_compare_exchange_n(&state, &untouched, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		while (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != 2)
			sched_yield();
		return;
	}
	path = getenv("MSTX_INJECTION_PATH");
	begin = (int (*)(mstx_get_table))dlsym(path ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL, "InitInjectionMstx");
	if (begin && begin(mstx_get))
		memset(mstx_functions, 0, sizeof(mstx_functions));
	__atomic_store_n(&state, 2, __ATOMIC_RELEASE);
}

/* The tool's function of this slot, of the given type; NULL: nobody listens. */
static inline mstx_function mstx_slot(int module, int slot)
{
	mstx_begin();
	return mstx_functions[module][slot];
}
