/* functions.h - a vendor's kernels: which name a handle, or the address of a stub, stands for. */
#pragma once
#include "agent/record/handles.h"
#include "agent/record/record.h"
#include "agent/session/session.h"
#include "agent/steps/source_kernel.h"
#include "agent/steps/source_time.h"
#include "hooks/capture/interned_names.h"

#define FUNCTION_MATCHES (1ull << 63) /* a kernel: step source waits for it */

/* One for each vendor. */
struct functions {
	struct handles table;					  /* a = DEF_STRING id | FUNCTION_MATCHES, b = generation of the session */
	uint64_t (*name_of)(const void *function, bool *matches); /* name_id() of what the vendor calls it */
};

/* It stands for the kernel of this name; NULL: the vendor is asked. */
void functions_new(struct functions *of, const void *function, const char *name);

/* Tells a kernel: step source of a launch. */
void functions_tick(struct functions *of, const void *function);

ALWAYS_INLINE void functions_clock(struct functions *of, const void *function)
{
	if (UNLIKELY((uint32_t)gate_load() & GATE_CLOCK))
		functions_tick(of, function);
}

uint64_t functions_launch_slowly(struct functions *of, const void *function, bool good, uint32_t dims, const size_t *global,
				 const size_t *local);

/*
 * DEF_LAUNCH id of a kernel at these sizes (launch_id()). Not good: the call failed, nothing that it was given may be looked at. Where
 * nobody saw the kernel being made, or before a fork, the vendor is asked for its name now.
 */
ALWAYS_INLINE uint64_t functions_launch(struct functions *of, const void *function, bool good, uint32_t dims, const size_t *global,
					const size_t *local)
{
	struct handle_slot *s = handles_peek(&of->table, (uintptr_t)function);

	if (UNLIKELY(!s || !good || atomic_load_explicit(&s->b, memory_order_relaxed) != session_generation))
		return functions_launch_slowly(of, function, good, dims, global, local);
	return launch_id(atomic_load_explicit(&s->a, memory_order_relaxed) & ~FUNCTION_MATCHES, dims, global, local);
}

/* DEF_LAUNCH id of an operator or kernel that the call itself names; NULL: it has no name. */
uint64_t functions_named(const char *name);
