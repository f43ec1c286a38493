/* declare.h - prototypes of what the rows say: the libraries' functions, and do_<symbol>(), which does a function's work. */
#pragma once
#include "tests/sims/ascend/abi.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#ifndef __cplusplus
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif
#define HOOK(ret, sym, params, ...) \
	ret sym params;             \
	ret do_##sym params __attribute__((visibility("hidden")));
#define HOOK_VALUE		    HOOK
#define HOOK_ANSWER		    HOOK
#define HOOK_PTR0		    HOOK
#define HOOK_VOID(sym, params, ...) HOOK(void, sym, params)
#include "all.def"
#undef HOOK
#undef HOOK_VALUE
#undef HOOK_ANSWER
#undef HOOK_PTR0
#undef HOOK_VOID
