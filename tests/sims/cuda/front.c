/*
 * front.c - a simulated library's exported functions, made from its rows: each is counted, fails if SIM_FAIL says so,
 * and then does what do_<symbol>() in the same library does. SIM_LIBRARY is the soname, ROWS the rows:
 *   HOOK...   a function with a prototype
 *   THREADS   the same as another one, with the default stream of the thread that calls
 *   OPERATES  an operator: a kernel that is only time (library.h)
 *   ANSWERS   it succeeds and writes nothing
 *   AS        the same as a function of another name (tests/sims/hip)
 *   NAME      nothing is known of it but that it exists: it answers SIM_UNKNOWN
 *
 * With SIM_TWINS each function has a twin that no library exports, which is counted with a mark, symbol.other: what
 * cuGetProcAddress answers with SIM_RESOLVER=other (driver_resolver.c).
 */
#include "tests/sims/cuda/threads.h"
#include "tests/sims/lib/sim.h"

#ifndef SIM_UNKNOWN
#define SIM_UNKNOWN 0
#endif
/* Before a function does its work, 0 or why it cannot; and what is done with a status that it answers. */
#ifndef SIM_READY
#define SIM_READY(sym)	 0
#define SIM_TOLD(status) (status)
#endif
#define SIM_SILENT(value) (value)
#ifdef SIM_TWINS
#define TWIN(...) __VA_ARGS__
#else
#define TWIN(...)
#endif
/* With SIM_ALIASES a function is exported as p<symbol>, and weakly without: NCCL's profilers take the place of the second. */
#ifdef SIM_ALIASES
#define FACE_OF(sym) p##sym
#define ALIAS(sym)   extern __typeof__(p##sym) sym __attribute__((weak, alias("p" #sym), visibility("default")));
#else
#define FACE_OF(sym) sym
#define ALIAS(sym)
#endif
#define EXPORTED __attribute__((visibility("default")))
#define HIDDEN	 __attribute__((visibility("hidden")))

/* One of a function's two faces. */
#define FACE(how, ret, face, name, params, args, FAILED, does, thread, TOLD) \
	how ret face params;                                                 \
	how ret face params                                                  \
	{                                                                    \
		static struct sim_row row = { SIM_LIBRARY, name, 0, { 0 } }; \
		int failed = sim_enter(&row);                                \
		ret rc = (ret)FAILED;                                        \
                                                                             \
		sim_per_thread += thread;                                    \
		if (!failed)                                                 \
			rc = does args;                                      \
		rc = (ret)TOLD(rc);                                          \
		sim_per_thread -= thread;                                    \
		sim_leave();                                                 \
		return rc;                                                   \
	}
#define FACES(ret, sym, params, args, FAILED, does, thread, TOLD)                         \
	FACE(EXPORTED, ret, FACE_OF(sym), #sym, params, args, FAILED, does, thread, TOLD) \
	ALIAS(sym)                                                                        \
	TWIN(FACE(HIDDEN, ret, other_##sym, #sym ".other", params, args, FAILED, does, thread, TOLD))

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#define HOOK(ret, sym, params, args, ...)  \
	extern HIDDEN ret do_##sym params; \
	FACES(ret, sym, params, args, (failed = failed ?: SIM_READY(sym)), do_##sym, 0, SIM_TOLD)
#define HOOK_VALUE(ret, sym, params, args, ...) \
	extern HIDDEN ret do_##sym params;      \
	FACES(ret, sym, params, args, 0, do_##sym, 0, SIM_SILENT)
#define HOOK_VOID(sym, params, args, ...)                                    \
	extern HIDDEN void do_##sym params;                                  \
	EXPORTED void sym params;                                            \
	void sym params                                                      \
	{                                                                    \
		static struct sim_row row = { SIM_LIBRARY, #sym, 0, { 0 } }; \
                                                                             \
		if (!sim_enter(&row))                                        \
			do_##sym args;                                       \
		sim_leave();                                                 \
	}
#define OF_ANOTHER(ret, sym, base, params, args, thread) \
	FACES(ret, sym, params, args, (failed = failed ?: SIM_READY(sym)), do_##base, thread, SIM_TOLD)
#define THREADS(ret, sym, base, params, args) OF_ANOTHER(ret, sym, base, params, args, 1)
#define AS(ret, sym, base, params, args, thread) \
	extern HIDDEN ret do_##base params;      \
	OF_ANOTHER(ret, sym, base, params, args, thread)
#define NAME(sym)                              \
	static inline long unknown_##sym(void) \
	{                                      \
		return SIM_UNKNOWN;            \
	}                                      \
	FACES(long, sym, (void), (), failed, unknown_##sym, 0, SIM_TOLD)
/* Of an operator there is a kernel; or it is known of it that it succeeds. */
#define BODY_OF(sym, does)                                           \
	static struct sim_row row = { SIM_LIBRARY, #sym, 0, { 0 } }; \
	int rc = sim_enter(&row);                                    \
                                                                     \
	if (!rc)                                                     \
		rc = (does);                                         \
	sim_leave();
#define OPERATES(ret, sym, params, args, stream)                 \
	EXPORTED ret sym params;                                 \
	ret sym params                                           \
	{                                                        \
		BODY_OF(sym, library_launch(row.symbol, stream)) \
		return (ret)rc;                                  \
	}
#define OPERATES_VOID(sym, params, args, stream)                 \
	EXPORTED void sym params;                                \
	void sym params                                          \
	{                                                        \
		BODY_OF(sym, library_launch(row.symbol, stream)) \
	}
#define ANSWERS(ret, sym, params, args, stream) \
	EXPORTED ret sym params;                \
	ret sym params                          \
	{                                       \
		BODY_OF(sym, 0)                 \
		return (ret)(intptr_t)rc;       \
	}
#define ANSWERS_VOID(sym, params, args, stream) \
	EXPORTED void sym params;               \
	void sym params                         \
	{                                       \
		BODY_OF(sym, 0)                 \
	}
#ifdef SIM_TYPES
#include SIM_TYPES
#endif
#include ROWS
