/* call_rows.h - calls a function of any shape with nothing but zeros. */
#pragma once
#include <stdint.h>

/* More arguments than any row has: both calling conventions let the caller pass too many. */
static inline uintptr_t call_with_zeros(void *function)
{
	typedef uintptr_t (*any)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
				 uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

	return ((any)function)(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* Declares the function of every row that a library exports, and their list. ROW_NAMES only: just the names, for dlsym. */
#include "hooks/rows/one_form.h"
#define HOOK_AS(sym, kind)

#ifndef ROW_NAMES_ONLY
#define HOOK(ret, sym, ...) void sym(void);
#include "hooks/opencl/opencl.def"
#undef HOOK
#define HOOK(ret, sym, ...) { #sym, (void *)sym },
#else
#define HOOK(ret, sym, ...) { #sym, 0 },
#endif

static const struct row {
	const char *name;
	void *function;
} rows[] = {
#include "hooks/opencl/opencl.def"
};
#define ROWS (sizeof(rows) / sizeof(*rows))
#undef HOOK
