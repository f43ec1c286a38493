/* runtime.h - libcudart: what its parts know of each other. It calls the driver by what cuGetProcAddress answered, as NVIDIA's does. */
#pragma once
#include "tests/sims/cuda/declare.h"
#undef DECLARED
#define DECLARED "libcuda.so.1.def"
#include "tests/sims/cuda/declare.h"
#include "tests/sims/cuda/threads.h"
#include "tests/sims/lib/sim.h"

/*
 * A function of the driver; CU_PTSZ and CU_PTDS: that of the calling thread's default stream, while this is wanted. With SIM_IN_ONE
 * the driver's parts are in the same library (tests/sims/hip).
 */
#ifdef SIM_IN_ONE
#define CU(symbol)	do_##symbol
#define CU_PTSZ(symbol) do_##symbol
#define CU_PTDS(symbol) do_##symbol
#else
#define ASKED(name, version, flags, symbol, number) ASKED_##symbol = number,
enum {
#include ASKED_ROWS
	ASKED_ALL
};
#undef ASKED

extern void *runtime_asked[ASKED_ALL] __attribute__((visibility("hidden")));

#define CU(symbol)	((__typeof__(&symbol))runtime_asked[ASKED_##symbol])
#define CU_PTSZ(symbol) ((__typeof__(&symbol))runtime_asked[sim_per_thread ? ASKED_##symbol##_ptsz : ASKED_##symbol])
#define CU_PTDS(symbol) ((__typeof__(&symbol))runtime_asked[sim_per_thread ? ASKED_##symbol##_ptds : ASKED_##symbol])
#endif

int runtime_init(void);	  /* the driver is there, or why not */
int runtime_ready(void);  /* and the calling thread has a context */
int runtime_told(int rc); /* keeps what went wrong */

/* The driver's answer to a call, once everything is ready. */
#define ANSWER(call)                              \
	({                                        \
		int rc_ = runtime_ready();        \
                                                  \
		runtime_told(rc_ ? rc_ : (call)); \
	})

void *runtime_function(const void *host);				    /* the CUfunction that stands behind a function of the program; or NULL */
const void *runtime_host(void *function);				    /* and the other way round */
int runtime_variable(const void *symbol, CUdeviceptr_v2 *at, size_t *size); /* memory of the device that stands for a variable; 0, or why not */
