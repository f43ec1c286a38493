/*
 * fake_opencl.c - an empty vendor library, made from the rows of hooks/opencl/opencl.def.
 *
 * Every function counts its calls and answers success; those that return an object return a new one
 * each time. clFlush answers FAKE_NUMBER, so that two such libraries in one process can be told apart.
 */
#include "hooks/opencl/abi.h"
#include "hooks/rows/ids.h"
#include "tests/fakes/opencl/fake_opencl.h"
#include "agent/os/safe_read.c"
#include "tests/programs/each.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FAKE_NUMBER
#define FAKE_NUMBER 0
#endif

/* ids.h has left no meaning of its own to the rows. */
#define HOOK(ret, sym, ...) [HOOK_##sym] = { .name = #sym },
#include "hooks/rows/one_form.h"
#define HOOK_AS(sym, kind)
struct fake_row fake_rows[HOOK_COUNT + 1] = {
#include "hooks/opencl/opencl.def"
#include "hooks/opencl/extensions.def"
};
#include "hooks/rows/undef_forms.h"

const unsigned int fake_row_count = HOOK_COUNT;

/* No row: how a tracer learns the names of kernels. Which library it is stands in the name. */
cl_int clGetKernelInfo(cl_kernel kernel, cl_uint what, size_t size, void *value, size_t *size_ret);
cl_int clGetKernelInfo(cl_kernel kernel, cl_uint what, size_t size, void *value, size_t *size_ret)
{
	(void)kernel;
	if (what != CL_KERNEL_FUNCTION_NAME)
		return CL_INVALID_VALUE;
	snprintf(value, size, "kernel_of_%d", FAKE_NUMBER);
	if (size_ret)
		*size_ret = strlen(value) + 1;
	return 0;
}

unsigned long fake_calls(const char *name)
{
	for (unsigned int i = 0; i < HOOK_COUNT; i++)
		if (fake_rows[i].name && !strcmp(fake_rows[i].name, name))
			return __atomic_load_n(&fake_rows[i].calls, __ATOMIC_RELAXED);
	return 0;
}

static void (*call_back)(void);

void fake_call_back(void (*function)(void))
{
	call_back = function;
}

static void count_call(unsigned int row)
{
	__atomic_fetch_add(&fake_rows[row].calls, 1, __ATOMIC_RELAXED);
	if (call_back)
		call_back();
}

/* Objects that nobody may look into; no two are the same. */
static void *new_object(void)
{
	static unsigned long objects;

	return (void *)(0x100000ul + 64 * __atomic_add_fetch(&objects, 1, __ATOMIC_RELAXED));
}

/* ---- what it was given ---- */

/*
 * FAKE_STRICT in the environment: a call with a handle that is not ours is refused, and the status says
 * which argument it was. Otherwise only what no runtime can do its work without is refused: text, sizes
 * and descriptions that cannot be read; nobody looks at lists or writes to any place for answers.
 */
static _Atomic unsigned long given;

unsigned long fake_given(void)
{
	return given;
}

struct look {
	unsigned long hash;
	int place, refused; /* refused: number of the first bad argument, 0: none */
	const char *func_name;
};

static int is_object(uintptr_t value)
{
	return value >= 0x100000 && value < 0x4000000 && value % 64 == 0;
}

static void look(struct look *l, const char *name, uintptr_t value, int is_handle, int is_needed)
{
	l->place++;
	if (strcmp(name, "err") && strcmp(name, "event")) /* these lead to a place of ours while we record */
		l->hash = l->hash * 31 + value;
	if (is_handle && getenv("FAKE_STRICT") && !is_object(value) && !l->refused)
		l->refused = l->place;
	if (is_needed && strcmp(name, "sizes") && value && !safe_read((void *)value, strcmp(name, "properties") ? 24 : 8) && !l->refused)
		l->refused = l->place;
	if (!strcmp(name, "func_name"))
		l->func_name = (const char *)value;
}

/* Extensions are found by the library's own look-up alone; whatever else is asked for is an object. */
static void *found(const struct look *l);

#define NEEDED(a) _Generic((a), const size_t * : 1, const char * : 1, const cl_image_format * : 1, \
			   const cl_image_desc * : 1, default : 0)
#define LOOK(a) look(&l, #a, (uintptr_t)(a), __builtin_types_compatible_p(__typeof__(a), void *), NEEDED(a));
#define LOOKED(sym, args)        \
	struct look l = { 0 };   \
                                 \
	EACH(LOOK, UNPAREN args) \
	given = l.hash;          \
	count_call(HOOK_##sym);
#define UNPAREN(...) __VA_ARGS__

static void tell(cl_int *err, cl_int why)
{
	if (err && getenv("FAKE_STRICT"))
		*err = why;
}

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define HOOK(ret, sym, params, args, ...)                                                      \
	ret sym params;                                                                        \
	ret sym params                                                                         \
	{                                                                                      \
		LOOKED(sym, args)                                                              \
		return l.refused ? -100 - l.refused : HOOK_##sym == HOOK_clFlush ? FAKE_NUMBER \
										 : 0;          \
	}
#define HOOK_CUSTOM HOOK
#define HOOK_VOID(sym, params, args, ...) \
	void sym params;                  \
	void sym params                   \
	{                                 \
		LOOKED(sym, args)         \
	}
#define HOOK_PTR0(ret, sym, params, args, ...)    \
	ret sym params;                           \
	ret sym params                            \
	{                                         \
		LOOKED(sym, args)                 \
		return l.refused ? 0 : found(&l); \
	}
#define HOOK_PTR(ret, sym, params, args, ...)                \
	ret sym params;                                      \
	ret sym params                                       \
	{                                                    \
		LOOKED(sym, args)                            \
		tell(err, l.refused ? -100 - l.refused : 0); \
		return l.refused ? 0 : new_object();         \
	}
#define HOOK_CUSTOM_PTR HOOK_PTR
#define HOOK_AS(sym, kind)
#include "hooks/opencl/opencl.def"
#include "hooks/opencl/extensions.def"
#include "hooks/rows/undef_forms.h"

static void *found(const struct look *l)
{
#define HOOK(ret, sym, ...)                              \
	if (l->func_name && !strcmp(l->func_name, #sym)) \
		return (void *)sym;
#define HOOK_PTR HOOK
#include "hooks/opencl/extensions.def"
	return new_object();
}
