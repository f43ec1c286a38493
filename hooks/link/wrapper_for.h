/* wrapper_for.h - which function of ours stands for one of a vendor's: the exported one, a trampoline, a probe before either. */
#pragma once
#include <stdbool.h>

/* A way in of its own for this function: leads to our wrapper with it behind. NULL: there are no more. */
void *wrapper_trampoline(unsigned int hook, void *real);

/* The wrapper of this function: the exported one, or a trampoline for a second provider. NULL: there are no more. */
void *wrapper_of(unsigned int hook, void *real);

/*
 * The same of what a vendor's resolver answered, which need not be what a library exports by the name. Ours, handed out before,
 * is what it is; where there is no wrapper left, the answer stays.
 */
void *wrapper_answered(unsigned int hook, void *real);
bool wrapper_is_ours(const void *address);

/*
 * What dlsym answers for this function: its wrapper, through a probe if it is a step source. The function itself where there are no
 * more wrappers, or where the row would be of no use in this process: libc, asked once more, might answer with our exported function,
 * which chooses among several libraries by its caller.
 */
void *wrapper_for(unsigned int hook, void *real);

/* Set once a `symbol:` step source is asked for: the probe for who would get `target`, a way to the function `real`, or NULL. */
extern void *(*_Atomic wrapper_probe)(const char *name, const void *real, void *target);

/*
 * A caller at this address is led to our exported function: does its call end at `real`? The wrapper that says so
 * whoever calls, or NULL.
 */
void *wrapper_at_call_site(unsigned int hook, const void *caller, void *real);

/* A vendor's resolver answered the caller with `real`: our wrapper instead, if the name has a row. */
void *hook_resolved(const char *name, void *real, const void *caller);
