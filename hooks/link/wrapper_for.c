/* handout.c - which function of ours stands for one of a vendor's: the exported one, a thunk, a probe before either. */
#include "hooks/link/resolve.h"
#include "agent/os/elf.h"
#include "hooks/link/source_symbol.h"
#include "hooks/rows/table.h"
#include "hooks/link/thunk.h"

void *hook_thunk(unsigned int hook, void *real)
{
	static _Atomic unsigned int used;
	struct elf_object o;
	unsigned int n = atomic_load(&used), i;

	for (i = 0; i < n && i < THUNKS; i++)
		if (thunks[i].real == real && thunks[i].entry == hook_entries[hook].thunked)
			return thunk_address(i);
	if (!hook_below) {
		atomic_store(&hook_rivals, true);
		if (!elf_object_at(real, &o) || !hook_pin(o.path)) /* the thunk leads there for ever */
			return NULL;
	}
	i = atomic_fetch_add(&used, 1);
	if (i >= THUNKS) {
		atomic_store(&used, THUNKS);
		return NULL;
	}
	thunks[i].entry = hook_entries[hook].thunked;
	thunks[i].real = real;
	return thunk_address(i);
}

/* A sole provider gets the exported function, rivals get thunks; a full pool gets the truth. */
void *hook_wrapper(unsigned int hook, void *real)
{
	void *none = NULL, *known = hook_real(hook);

	if (!known && !hook_has_rivals(hook)) {
		atomic_compare_exchange_strong(&hook_slots[hook].hint, &none, real);
		known = atomic_load(&hook_slots[hook].hint);
	}
	return known == real ? hook_entries[hook].own : hook_thunk(hook, real);
}

void *hook_handout(unsigned int hook, void *real)
{
	void *wrapper = hook_wrapper(hook, real);
	void *probe = wrapper ? symbol_probe(hook_rows[hook].name, real, wrapper) : NULL;

	return probe ? probe : wrapper;
}
