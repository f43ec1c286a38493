/*
 * mstx.h - how a module that uses the header of mstx finds its tool: on the first call InitInjectionMstx of
 * MSTX_INJECTION_PATH, or of the global scope, is given the tables of this module's own pointers to fill.
 */
#pragma once
#include "tests/sim/abi.h"
#include <dlfcn.h>
#include <stdlib.h>

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

static inline void mstx_begin(void)
{
	static int begun;
	const char *path = getenv("MSTX_INJECTION_PATH");
	void *handle = path ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
	int (*begin)(mstx_get_table) = NULL;

	if (__atomic_exchange_n(&begun, 1, __ATOMIC_ACQ_REL))
		return;
	begin = (int (*)(mstx_get_table))dlsym(handle, "InitInjectionMstx");
	if (begin && begin(mstx_get))
		for (int m = 0; m < 4; m++)
			for (int i = 0; i < 8; i++)
				mstx_functions[m][i] = NULL;
}

/* The tool's function of this slot, of the given type; NULL: nobody listens. */
static inline mstx_function mstx_slot(int module, int slot)
{
	mstx_begin();
	return mstx_functions[module][slot];
}
