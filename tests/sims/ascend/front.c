/*
 * front.c - a simulated library's exported functions, made from its rows: each is counted, fails if SIM_FAIL says so,
 * and then does what do_<symbol>() in the same library does; a row without one answers success and writes nothing.
 *
 * SIM_LIBRARY is the soname, ROWS the rows. With SIM_FORWARD the calls are handed to the function of the same name
 * in that library instead.
 */
#include "tests/sims/lib/sim.h"
#include <dlfcn.h>
#include <stdlib.h>

#ifdef SIM_FORWARD
static void *next(const char *name)
{
	static void *handle;

	if (!handle)
		handle = dlopen(SIM_FORWARD, RTLD_NOW);
	return handle ? dlsym(handle, name) : NULL;
}
#define DOES(sym) ((__typeof__(&sym))next(#sym))
#else
#define DOES(sym) do_##sym
#endif

#define FRONT(ret, sym, params, args, FAILED, NOTHING)                          \
	extern ret do_##sym params __attribute__((weak, visibility("hidden"))); \
	__attribute__((visibility("default"))) ret sym params;                  \
	ret sym params                                                          \
	{                                                                       \
		static struct sim_row row = { SIM_LIBRARY, #sym, 0, { 0 } };    \
		int failed = sim_enter(&row);                                   \
		ret(*does) params = DOES(sym);                                  \
		ret rc = failed ? (ret)FAILED : does ? does args                \
						     : (ret)NOTHING;            \
                                                                                \
		sim_leave();                                                    \
		return rc;                                                      \
	}
#define FRONT_VOID(sym, params, args)                                            \
	extern void do_##sym params __attribute__((weak, visibility("hidden"))); \
	__attribute__((visibility("default"))) void sym params;                  \
	void sym params                                                          \
	{                                                                        \
		static struct sim_row row = { SIM_LIBRARY, #sym, 0, { 0 } };     \
		int failed = sim_enter(&row);                                    \
		void(*does) params = DOES(sym);                                  \
                                                                                 \
		if (!failed && does)                                             \
			does args;                                               \
		sim_leave();                                                     \
	}

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#define HOOK(ret, sym, params, args, ...)	FRONT(ret, sym, params, args, failed, 0)
#define HOOK_VALUE(ret, sym, params, args, ...) FRONT(ret, sym, params, args, 0, 0)
#define HOOK_ANSWER				HOOK_VALUE
#define HOOK_PTR0(ret, sym, params, args, ...)	FRONT(ret, sym, params, args, 0, 0)
#define HOOK_VOID(sym, params, args, ...)	FRONT_VOID(sym, params, args)
#include ROWS
