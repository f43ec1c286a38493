#include "hooks/link/wrapper_for.h"
#include <stddef.h>
#include "agent/os/elf.h"
#include "agent/record/gate.h"
#include "agent/session/session.h"
#include "hooks/link/providers.h"
#include "hooks/link/resolve.h"
#include "hooks/link/trampoline.h"
#include "hooks/rows/family.h"
#include "hooks/rows/index.h"
#include "hooks/rows/table.h"

void *(*_Atomic wrapper_probe)(const char *name, const void *real, void *target);

static void *known_trampoline(unsigned int hook, const void *real, unsigned int used)
{
	for (unsigned int i = 0; i < used && i < TRAMPOLINES; i++)
		if (atomic_load_explicit(&trampolines[i].real, memory_order_acquire) == real && trampolines[i].hook == hook)
			return trampoline_address(i);
	return NULL;
}

/* A trampoline leads there for ever. */
static bool stays(void *real)
{
	struct elf_object o;

	if (hook_below)
		return true;
	atomic_store(&hook_rivals, true);
	return elf_object_at(real, &o) && hook_pin(o.path);
}

void *wrapper_trampoline(unsigned int hook, void *real)
{
	static _Atomic unsigned int used;
	void *known = known_trampoline(hook, real, atomic_load(&used));
	unsigned int i = TRAMPOLINES;

	if (known)
		return known;
	if (hook_entries[hook].by_trampoline && atomic_load(&used) < TRAMPOLINES && stays(real))
		i = atomic_fetch_add(&used, 1);
	if (i >= TRAMPOLINES) {
		session_beyond(LIMIT_unwrapped_functions, 1);
		return NULL;
	}
	trampolines[i].hook = hook;
	trampoline_set(&trampolines[i], !*hook_entries[hook].opens); /* a quiet row starts nothing, and nobody is told */
	atomic_store_explicit(&trampolines[i].real, real, memory_order_release);
	return trampoline_address(i);
}

/* A sole provider gets the exported function, rivals get trampolines; a full pool gets the truth. */
void *wrapper_of(unsigned int hook, void *real)
{
	void *none = NULL, *known = hook_real(hook);
	struct provider p;

	/* Of another namespace (dlmopen), where calls of our exported function would not end. */
	if (!known && !hook_below && !providers_have(hook_rows[hook].name, real, &p) && providers_count(hook_rows[hook].name, &p))
		return wrapper_trampoline(hook, real);
	if (!known && !hook_has_rivals(hook)) {
		atomic_compare_exchange_strong(&hook_slots[hook].hint, &none, real);
		known = atomic_load(&hook_slots[hook].hint);
	}
	return known == real ? hook_entries[hook].own : wrapper_trampoline(hook, real);
}

bool wrapper_is_ours(const void *address)
{
	static _Atomic uintptr_t first, end; /* where we are; 0: not looked yet */
	struct elf_object us;

	if (!end && elf_object_at((const void *)wrapper_is_ours, &us)) {
		first = us.first;
		end = us.last;
	}
	return (uintptr_t)address >= first && (uintptr_t)address < end;
}

/* What a call of our exported function would lead to, whoever calls. */
static bool is_sole(unsigned int hook, const void *real)
{
	struct provider p;

	if (hook_real(hook))
		return hook_real(hook) == real;
	return !hook_has_rivals(hook) && providers_have(hook_rows[hook].name, real, &p);
}

void *wrapper_answered(unsigned int hook, void *real)
{
	void *wrapper = wrapper_is_ours(real) ? real : is_sole(hook, real) ? hook_entries[hook].own
									   : wrapper_trampoline(hook, real);

	return wrapper ? wrapper : real;
}

/* A row that comes in for nothing but what the settings do not ask for would be in the way of each call, and look at none. */
static bool is_of_use(unsigned int hook)
{
	uint32_t opens = hook_entries[hook].opens ? *hook_entries[hook].opens & ~(uint32_t)GATE_STARTED : 0;

	return !opens || opens & ~atomic_load(&gate.never);
}

void *wrapper_for(unsigned int hook, void *real)
{
	void *(*probe)(const char *, const void *, void *) = atomic_load(&wrapper_probe);
	void *wrapper = is_of_use(hook) ? wrapper_of(hook, real) : NULL;
	void *target = wrapper ? wrapper : real;
	void *probed = probe ? probe(hook_rows[hook].name, real, target) : NULL;

	return probed ? probed : target;
}

void *wrapper_at_call_site(unsigned int hook, const void *caller, void *real)
{
	const char *name = hook_rows[hook].name, *family = hook_rows[hook].family;
	struct provider p, other;

	if (!providers_count(name, &p))
		return NULL;
	if (!family_has(family, p.object.soname)) /* a tool that passes the call on, whoever calls */
		return providers_have(name, real, &other) ? hook_entries[hook].own : NULL;
	providers_choose(name, family, caller, atomic_load(&hook_slots[hook].hint), &p);
	return p.function == real ? wrapper_of(hook, real) : NULL;
}

void *hook_resolved(const char *name, void *real, const void *caller)
{
	int hook = name ? index_find(name) : -1;

	if (hook < 0 || hook_below || hook_from_vendor((unsigned int)hook, caller))
		return real;
	return wrapper_for((unsigned int)hook, real);
}
