/* entry_points.c - fourth reading of the rows: where the functions that wrap.h made of them lie. */
#include "hooks/link/trampoline.h"
#include "hooks/opencl/abi.h"
#include "hooks/rows/ids.h"

/* A row without parameters says (). */
#pragma GCC diagnostic ignored "-Wstrict-prototypes"

#include "hooks/rows/one_form.h"
#define HOOK_AS(sym, kind)
#define LIST(...) __VA_OPT__(, ) __VA_ARGS__
#define HOOK_ANY(...)
#define HOOK(ret, sym, params, ...) \
	ret sym params;             \
	OURS ret own_##sym params;  \
	ret trampoline_##sym(aside real LIST params);
#include "hooks/rows/vendors.def"
#undef HOOK_AS
#undef HOOK_ANY
#undef HOOK

/* What trampolines jump to, by hook number. */
#define HOOK_AS(sym, kind)	    [HOOK_##sym##_as_##kind] = { NULL, NULL, NULL },
#define HOOK_ANY(sym, ...)	    [HOOK_##sym] = { NULL, NULL, NULL },
#define HOOK(ret, sym, params, ...) [HOOK_##sym] = { (void *)sym, (void *)own_##sym, (void *)trampoline_##sym },

const struct hook_entry hook_entries[HOOK_COUNT] = {
#include "hooks/rows/vendors.def"
};
