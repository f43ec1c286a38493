/*
 * door.c - what dlsym and dlvsym answer when somebody asks for a name that we hook.
 *
 * The doors themselves are assembly (door.S): they ask the filter below and otherwise jump to the
 * real function, so that the caller's address, which RTLD_NEXT and RTLD_DEFAULT depend on, stays.
 */
#include "hooks/resolve.h"
#include "agent/elf.h"
#include "hooks/symbol.h"
#include "hooks/table.h"
#include "hooks/thunk.h"
#include <dlfcn.h>
#include <string.h>

typedef void *(*dlsym_fn)(void *, const char *);
typedef void *(*dlvsym_fn)(void *, const char *, const char *);

/* Read by door.S. Found at the first use: a sanitizer asks for dlsym before any constructor ran. */
__attribute__((visibility("hidden"))) void *door_real_dlsym, *door_real_dlvsym;

void *door_filter(void *handle, const char *name, const void *caller);
void *door_filter_version(void *handle, const char *name, const char *version, const void *caller);
void door_find(void);

BARE void door_find(void)
{
	if (!door_real_dlvsym)
		door_real_dlvsym = elf_find("dlvsym", true);
	if (!door_real_dlsym)
		door_real_dlsym = elf_find("dlsym", true);
}

/* Names of other worlds cost these compares. */
BARE ALWAYS_INLINE bool maybe_ours(const char *name)
{
	return name && name[0] == 'c' && name[1] == 'l' && name[2] >= 'A' && name[2] <= 'Z';
}

/* A second provider's function: a thunk that leads to our wrapper with that function behind it. */
static void *thunk_for(unsigned int hook, void *real)
{
	static _Atomic unsigned int used;
	unsigned int n = atomic_load(&used), i;

	for (i = 0; i < n && i < THUNKS; i++)
		if (thunks[i].real == real && thunks[i].entry == hook_entries[hook].thunked)
			return thunk_address(i);
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
void *hook_handout(unsigned int hook, void *real)
{
	void *none = NULL, *known = hook_real(hook);

	if (!known && !hook_has_rivals(hook)) {
		atomic_compare_exchange_strong(&hook_slots[hook].hint, &none, real);
		known = atomic_load(&hook_slots[hook].hint);
	}
	return known == real ? hook_entries[hook].exported : thunk_for(hook, real);
}

static bool is_main_program(void *handle)
{
	return handle == RTLD_DEFAULT || ((const struct link_map *)handle)->l_name[0] == '\0';
}

#define ANSWER_NULL ((void *)1) /* to door.S: the answer is NULL, and dlerror() knows why */

/* What the name means without us: for the program's own scope, what comes after us in it. */
static void *without_us(void *handle, const char *name)
{
	void *real = ((dlsym_fn)door_real_dlsym)(handle, name);
	int hook = hook_number(name);

	if (hook >= 0 && real == hook_entries[hook].exported)
		real = ((dlsym_fn)door_real_dlsym)(RTLD_NEXT, name);
	return real;
}

/*
 * We exist only where a vendor does: a program that tests for a feature must not take us for it. The
 * real function, asked on our own behalf, does not see us, and leaves dlerror() its reason.
 */
static void *only_we_have_it(const char *name)
{
	return elf_find(name, true) ? NULL : ((dlsym_fn)door_real_dlsym)(RTLD_NEXT, name) ? NULL
											  : ANSWER_NULL;
}

static void *answer(int hook, void *real, const void *caller)
{
	/* A vendor's loader looking into its driver, or a runtime into itself, gets what it asks for. */
	if (!real || hook_from_vendor((unsigned int)hook, caller))
		return NULL;
	return hook_handout((unsigned int)hook, real);
}

/* Not instrumented: it runs inside a sanitizer's own start. */
BARE void *door_filter(void *handle, const char *name, const void *caller)
{
	void *probe;
	int hook;

	hook_look_again(); /* whoever opens a library asks it for a name next */
	if (UNLIKELY(symbol_wanted()) && name && handle != RTLD_NEXT && symbol_named(name) &&
	    (probe = symbol_probe(((dlsym_fn)door_real_dlsym)(handle, name), name)))
		return probe;
	if (!maybe_ours(name))
		return NULL;
	hook = hook_number(name);
	if (hook < 0)
		return NULL;
	if (handle == RTLD_NEXT)
		return only_we_have_it(name);
	probe = without_us(handle, name);
	if (probe)
		return answer(hook, probe, caller);
	return is_main_program(handle) ? only_we_have_it(name) : NULL;
}

BARE void *door_filter_version(void *handle, const char *name, const char *version, const void *caller)
{
	int hook;

	/* A look-up with a version never finds us: we have none. */
	if (!maybe_ours(name) || handle == RTLD_NEXT)
		return NULL;
	hook = hook_number(name);
	if (hook < 0)
		return NULL;
	return answer(hook, ((dlvsym_fn)door_real_dlvsym)(handle, name, version), caller);
}
