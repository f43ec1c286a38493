/*
 * kernels.h - a runtime's kernels by what launches name them with: the address of a stub that was registered, or a handle. With the
 * modules whose they are.
 */
#pragma once
#include "agent/record/handles.h"
#include "agent/record/record.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/source_kernel.h"
#include "agent/steps/source_time.h"
#include "hooks/capture/dim3.h"
#include "hooks/capture/interned_names.h"
#include "hooks/capture/runtime/registered.h"

#define KERNEL_MATCHES_BIT 63 /* a kernel: step source waits for it */
#define KERNEL_MATCHES	   (1ull << KERNEL_MATCHES_BIT)

/* One for each vendor. */
struct kernels {
	struct handles table;			  /* a = DEF_STRING id | KERNEL_MATCHES, b = generation of the session; first: see short_launch.h */
	const char *(*ask)(const void *function); /* what the vendor calls it, past our hooks; NULL: it does not say */
	struct registered registered;		  /* stubs */
	struct handles strangers;		  /* what is no stub: a = how many had been registered when it was looked for */
	struct handles owners;			  /* functions: a = module, b = the next of the same module */
	struct handles modules;			  /* a = the first of its functions */
};

/*
 * The stub at this address stands for the kernel of this name. Nothing is copied: the text stays as long as its module is
 * registered, and is read when a launch wants it.
 */
void kernels_registered(struct kernels *of, const void *module, const void *stub, const char *name);

/* What the vendor was asked for by name, and another handle of a kernel that is known. */
void kernels_new(struct kernels *of, const void *function, const void *module, const char *name);
void kernels_same(struct kernels *of, const void *function, const void *other);

/* Before a module, library or fat binary ends, and all of its kernels with it. */
void kernels_module_ends(struct kernels *of, const void *module);

/* DEF_STRING id of a kernel's name, by what was seen of it; of a handle that a call has just taken or given, by what the vendor says. 0: none. */
uint64_t kernels_known_name(struct kernels *of, const void *function);
uint64_t kernels_name(struct kernels *of, const void *function);

/* Tells a kernel: step source of a launch. */
void kernels_tick(struct kernels *of, const void *function);

ALWAYS_INLINE void kernels_clock(struct kernels *of, const void *function)
{
	if (UNLIKELY((uint32_t)gate_load() & GATE_CLOCK))
		kernels_tick(of, function);
}

/* Do launches tell their shared memory? All of a session do, or none. */
ALWAYS_INLINE bool kernels_tell_shared(void)
{
	return settings.contents & CONTENT_SHAPES;
}

ALWAYS_INLINE uint64_t kernels_launch_named(uint64_t name, uint32_t dims, const size_t *threads, const size_t *block, size_t shared)
{
	return UNLIKELY(kernels_tell_shared()) ? launch_id_shared(name, dims, threads, block, shared) : launch_id(name, dims, threads, block);
}

uint64_t kernels_launch_slowly(struct kernels *of, const void *function, uint32_t dims, const size_t *threads, const size_t *block, size_t shared);

/* DEF_LAUNCH id of a kernel on this many threads, in blocks that are given so many bytes of shared memory each, which count where they are told. */
ALWAYS_INLINE uint64_t kernels_launch_threads(struct kernels *of, const void *function, const size_t *threads, const size_t *block, size_t shared)
{
	struct handle_slot *s = handles_peek(&of->table, (uintptr_t)function);
	uint32_t dims = threads[2] != 1 ? 3 : threads[1] != 1 ? 2
							      : 1;

	if (UNLIKELY(!s || atomic_load_explicit(&s->b, memory_order_relaxed) != session_generation))
		return kernels_launch_slowly(of, function, dims, threads, block, shared);
	return kernels_launch_named(atomic_load_explicit(&s->a, memory_order_relaxed) & ~KERNEL_MATCHES, dims, threads, block, shared);
}

/* The same on a grid of blocks. */
ALWAYS_INLINE uint64_t kernels_launch(struct kernels *of, const void *function, dim3 grid, dim3 block, size_t shared)
{
	size_t local[3] = { block.x, block.y, block.z };
	size_t threads[3] = { (size_t)grid.x * block.x, (size_t)grid.y * block.y, (size_t)grid.z * block.z };

	return kernels_launch_threads(of, function, threads, local, shared);
}

/* The same of a call that failed: nothing that it was given may be looked at, and nobody be asked. */
uint64_t kernels_launch_refused(struct kernels *of, const void *function);
