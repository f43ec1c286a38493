/*
 * fake_opencl.c - an empty vendor library, made from the rows of hooks/opencl.def.
 *
 * Every function counts its calls and answers success; those that return an object return a new one
 * each time. clFlush answers FAKE_NUMBER, so that two such libraries in one process can be told apart.
 */
#include "hooks/abi.h"
#include "hooks/ids.h"
#include "tests/fakes/fake_opencl.h"
#include <string.h>

#ifndef FAKE_NUMBER
#define FAKE_NUMBER 0
#endif

/* ids.h has left no meaning of its own to the rows. */
#define HOOK(ret, sym, ...) [HOOK_##sym] = { .name = #sym },
#define HOOK_PTR	    HOOK
#define HOOK_PTR0	    HOOK
#define HOOK_VOID(sym, ...) HOOK(void, sym)
#define HOOK_CUSTOM	    HOOK
#define HOOK_CUSTOM_PTR	    HOOK
#define HOOK_AS(sym, kind)
struct fake_row fake_rows[HOOK_COUNT + 1] = {
#include "hooks/opencl.def"
};
#include "hooks/again.h"

const unsigned int fake_row_count = HOOK_COUNT;

unsigned long fake_calls(const char *name)
{
	for (unsigned int i = 0; i < HOOK_COUNT; i++)
		if (fake_rows[i].name && !strcmp(fake_rows[i].name, name))
			return __atomic_load_n(&fake_rows[i].calls, __ATOMIC_RELAXED);
	return 0;
}

static void count_call(unsigned int row)
{
	__atomic_fetch_add(&fake_rows[row].calls, 1, __ATOMIC_RELAXED);
}

/* Objects that nobody may look into; no two are the same. */
static void *new_object(void)
{
	static unsigned long objects;

	return (void *)(0x100000ul + 64 * __atomic_add_fetch(&objects, 1, __ATOMIC_RELAXED));
}

static cl_int status(unsigned int row)
{
	count_call(row);
	return row == HOOK_clFlush ? FAKE_NUMBER : 0;
}

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define HOOK(ret, sym, params, ...)        \
	ret sym params;                    \
	ret sym params                     \
	{                                  \
		return status(HOOK_##sym); \
	}
#define HOOK_CUSTOM HOOK
#define HOOK_VOID(sym, params, ...)     \
	void sym params;                \
	void sym params                 \
	{                               \
		count_call(HOOK_##sym); \
	}
#define HOOK_PTR0(ret, sym, params, ...) \
	ret sym params;                  \
	ret sym params                   \
	{                                \
		count_call(HOOK_##sym);  \
		return new_object();     \
	}
#define HOOK_PTR(ret, sym, params, ...) \
	ret sym params;                 \
	ret sym params                  \
	{                               \
		count_call(HOOK_##sym); \
		if (err)                \
			*err = 0;       \
		return new_object();    \
	}
#define HOOK_CUSTOM_PTR HOOK_PTR
#define HOOK_AS(sym, kind)
#include "hooks/opencl.def"
