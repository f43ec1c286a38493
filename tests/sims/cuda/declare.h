/*
 * declare.h - prototypes of the rows in DECLARED: the library's functions, and do_<symbol>(), which does a function's work.
 * It may be included for one library after the other.
 */
#include "tests/sims/cuda/abi.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#define HOOK(ret, sym, params, ...) \
	ret sym params;             \
	ret do_##sym params __attribute__((visibility("hidden")));
#define HOOK_VALUE			     HOOK
#define HOOK_VOID(sym, params, ...)	     HOOK(void, sym, params)
#define OPERATES(ret, sym, params, ...)	     ret sym params;
#define OPERATES_VOID(sym, params, ...)	     void sym params;
#define ANSWERS				     OPERATES
#define ANSWERS_VOID			     OPERATES_VOID
#define THREADS(ret, sym, base, params, ...) HOOK(ret, sym, params)
#define AS(ret, sym, base, params, ...)	     ret sym params;
#define NAME(sym)
#include DECLARED
#undef HOOK
#undef HOOK_VALUE
#undef HOOK_VOID
#undef THREADS
#undef AS
#undef NAME
#undef OPERATES
#undef OPERATES_VOID
#undef ANSWERS
#undef ANSWERS_VOID
