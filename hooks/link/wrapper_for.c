/* wrapper_for.c - which function of ours stands for one of a vendor's: the exported one, a trampoline, a probe before either. */
#include "agent/os/elf.h"
#include "hooks/link/resolve.h"
#include "hooks/link/source_symbol.h"
#include "hooks/link/trampoline.h"
#include "hooks/rows/table.h"

void *wrapper_trampoline(unsigned int hook, void *real)
{
	static _Atomic unsigned int used;
	struct elf_object o;
	unsigned int n = atomic_load(&used), i;

	for (i = 0; i < n && i < TRAMPOLINES; i++)
		if (trampolines[i].real == real && trampolines[i].entry == hook_entries[hook].by_trampoline)
			return trampoline_address(i);
	if (!hook_below) {
		atomic_store(&hook_rivals, true);
		if (!elf_object_at(real, &o) || !hook_pin(o.path)) /* the trampoline leads there for ever */
			return NULL;
	}
	i = atomic_fetch_add(&used, 1);
	if (i >= TRAMPOLINES) {
		atomic_store(&used, TRAMPOLINES);
		return NULL;
	}
	trampolines[i].entry = hook_entries[hook].by_trampoline;
	trampolines[i].real = real;
	return trampoline_address(i);
}

/* A sole provider gets the exported function, rivals get trampolines; a full pool gets the truth. */
void *wrapper_of(unsigned int hook, void *real)
{
	void *none = NULL, *known = hook_real(hook);

	if (!known && !hook_has_rivals(hook)) {
		atomic_compare_exchange_strong(&hook_slots[hook].hint, &none, real);
		known = atomic_load(&hook_slots[hook].hint);
	}
	return known == real ? hook_entries[hook].own : wrapper_trampoline(hook, real);
}

void *wrapper_for(unsigned int hook, void *real)
{
	void *wrapper = wrapper_of(hook, real);
	void *probe = wrapper ? source_symbol_probe(hook_rows[hook].name, real, wrapper) : NULL;

	return probe ? probe : wrapper;
}
