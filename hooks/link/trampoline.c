#include "hooks/link/trampoline.h"
#include "hooks/link/resolve.h"

struct trampoline trampolines[TRAMPOLINES];
extern const char trampoline_code[], trampoline_first[] OURS; /* trampoline.S */

void trampoline_set(struct trampoline *t, bool called)
{
	atomic_store(&t->entry, called ? hook_entries[t->hook].by_trampoline : (void *)trampoline_first);
	atomic_store(&t->opens, called ? *hook_entries[t->hook].opens : 0);
}

void *trampoline_called(struct trampoline *t)
{
	if (hook_given(t->hook, atomic_load(&t->real)))
		trampoline_set(t, true);
	return hook_entries[t->hook].by_trampoline;
}

void *trampoline_address(size_t i)
{
	return (void *)(trampoline_code + i * 16);
}
