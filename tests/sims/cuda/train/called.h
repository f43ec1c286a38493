/*
 * called.h - how the training program calls: CALL(symbol, ...) counts it, by symbol and step, which is the program's own
 * account, and finds the function on the road that the program was built for:
 *   (none)       linked
 *   BY_DLSYM     dlopen("libcuda.so.1") and dlsym
 *   BY_RESOLVER  dlopen, dlsym("cuGetProcAddress_v2"), and all else is asked for by name and version
 *   BY_TRITON    linked, but cuLaunchKernelEx by dlopen and dlsym, kept in a static variable
 */
#pragma once
#include "tests/sims/cuda/declare.h"
#ifdef AND_DECLARED
#undef DECLARED
#define DECLARED AND_DECLARED
#include "tests/sims/cuda/declare.h"
#endif
#include <stdio.h>

void called(_Atomic int *number, const char *symbol);
void called_step(int step); /* from now on; -1: outside of all steps */
int called_now(void);
void called_print(void); /* `step symbol count` lines */

void *called_find(const char *symbol); /* by dlsym */
void *called_ask(const char *symbol);  /* by cuGetProcAddress_v2, as the table says */

#define COUNT(symbol)                       \
	({                                  \
		static _Atomic int number_; \
                                            \
		called(&number_, #symbol);  \
	})
#define KEPT(symbol, find)                                          \
	({                                                          \
		static __typeof__(&symbol) kept_;                   \
                                                                    \
		if (!kept_)                                         \
			kept_ = (__typeof__(&symbol))find(#symbol); \
		kept_;                                              \
	})
#if defined(BY_DLSYM)
#define ROAD(symbol) KEPT(symbol, called_find)
#elif defined(BY_RESOLVER)
#define ROAD(symbol) KEPT(symbol, called_ask)
#else
#define ROAD(symbol) symbol
#endif
#ifdef BY_TRITON
#define LOOKED_UP(symbol) KEPT(symbol, called_find)
#else
#define LOOKED_UP(symbol) ROAD(symbol)
#endif

/* Names may be macros for those of the per-thread forms. */
#define CALL(symbol, ...)	      CALLED(symbol, ROAD(symbol), __VA_ARGS__)
#define CALL_EX(symbol, ...)	      CALLED(symbol, LOOKED_UP(symbol), __VA_ARGS__)
#define CALLED(symbol, function, ...) (COUNT(symbol), (function)(__VA_ARGS__))

void check(int rc, const char *what, int wanted);
#define OK(symbol, ...) check((int)CALL(symbol, __VA_ARGS__), #symbol, 0)
