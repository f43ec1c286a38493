#include "hooks/resolve.h"
#include "agent/agent.h"
#include "agent/arena.h"
#include "agent/elf.h"
#include "agent/facts.h"
#include "agent/gate.h"
#include "agent/session.h"
#include "hooks/symbol.h"
#include "hooks/table.h"
#include "hooks/thunk.h"
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

struct hook_slot hook_slots[HOOK_COUNT];

/* ---- definers ---- */

/* The row's soname up to ".so": libOpenCL also covers libOpenCL-1a2b.so.1 of a Python wheel. */
static bool same_family(const char *soname, const char *library)
{
	size_t n = (size_t)(strstr(library, ".so") - library);

	return soname && !strncmp(soname, library, n);
}

#define DEFINERS 8

struct definers {
	const char *name;
	unsigned int count;
	bool passed;		/* ourselves, in link-map order */
	struct { struct elf_object object; void *function; } found[DEFINERS];
};

static bool collect(const struct elf_object *o, void *data)
{
	struct definers *d = data;
	void *function;

	if (elf_is_us(o)) {
		d->passed = true;
		return false;
	}
	function = d->passed ? elf_lookup(o, d->name) : NULL;
	if (!function)
		return false;
	d->found[d->count].object = *o;
	d->found[d->count++].function = function;
	return d->count == DEFINERS;
}

/* A caller's dependencies say which of several runtimes it was linked to. */
static unsigned int choose(const struct definers *d, const char *library, const void *caller)
{
	struct elf_object from;

	if (!same_family(d->found[0].object.soname, library))
		return 0;	/* another preloaded tool: it passes the call on itself */
	if (!caller || !elf_object_at(caller, &from))
		return 0;
	for (unsigned int i = 0; i < d->count; i++)
		if (d->found[i].object.soname && elf_depends(&from, d->found[i].object.soname))
			return i;
	return 0;
}

/* ---- what is known once is written down ---- */

static void define_hook(unsigned int hook)
{
	struct def_hook d = { .kind = (uint8_t)hook_rows[hook].kind };

	arena_define(DEF_HOOK, hook, &d, sizeof(d), hook_rows[hook].name, strlen(hook_rows[hook].name));
}

/* A row whose calls turn out to be of another kind has a second number right behind (HOOK_AS). */
static void define_hooks(unsigned int hook)
{
	define_hook(hook);
	for (unsigned int i = hook + 1; i < HOOK_COUNT && !hook_entries[i].exported; i++)
		define_hook(i);
}

/* The agent of a forked child knows nothing of what its parent had written down. */
static void on_start(void)
{
	for (unsigned int i = 0; i < HOOK_COUNT; i++)
		if (hook_entries[i].exported && hook_real(i))
			define_hooks(i);
	session->hooks = HOOK_COUNT;
	symbol_arm();
}

static void note_library(const char *path)
{
	static unsigned int libraries;
	size_t used = strlen(session->libraries), n = strlen(path);

	if (!n || strstr(session->libraries, path) || used + n + 2 > sizeof(session->libraries))
		return;
	if (used)
		session->libraries[used++] = '\n';
	memcpy(session->libraries + used, path, n + 1);
	arena_text(DEF_LIBRARY, ++libraries, path);
}

/* An unloaded library would leave us with a dangling pointer: from its first call on it stays. */
static void pin(const char *path)
{
	void *(*open_library)(const char *, int) = elf_find("dlopen", false);

	if (open_library && path[0])
		open_library(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static const char *name_of(unsigned int hook)
{
	return hook < HOOK_COUNT ? hook_rows[hook].name : NULL;
}

static void *find(unsigned int hook, const void *caller)
{
	struct definers d = { .name = hook_rows[hook].name };
	void *hint = atomic_load(&hook_slots[hook].hint);
	unsigned int i;

	elf_walk(collect, &d);
	if (!d.count)
		return hint;
	i = choose(&d, hook_rows[hook].library, caller);
	note_library(d.found[i].object.path);
	pin(d.found[i].object.path);
	if (d.count == 1 || !same_family(d.found[0].object.soname, hook_rows[hook].library)) {
		define_hooks(hook);
		atomic_store_explicit(&hook_slots[hook].real, d.found[i].function, memory_order_release);
	} else if (!atomic_load(&hook_slots[hook].wrapper)) {
		define_hooks(hook);
		atomic_store(&hook_slots[hook].wrapper, hook_entries[hook].exported);
	}
	return d.found[i].function;
}

void *hook_resolve(unsigned int hook, const void *caller)
{
	int saved = errno;
	void *real;

	facts_hook_name = name_of;
	agent_on_start = on_start;
	if (!gate_load())
		agent_start();
	symbol_arm();
	real = hook_real(hook);
	if (!real)
		real = find(hook, caller);
	errno = saved;
	return real;
}

void *hook_vendor(_Atomic(void *) *cache, const char *name)
{
	void *f = atomic_load_explicit(cache, memory_order_relaxed);
	int hook;

	if (f)
		return f;
	hook = hook_number(name);
	f = hook >= 0 ? hook_real((unsigned int)hook) : NULL;
	if (!f)
		f = elf_find(name, true);
	atomic_store(cache, f);
	return f;
}

bool hook_from_vendor(unsigned int hook, const void *address)
{
	struct elf_object o;

	return elf_object_at(address, &o) && same_family(o.soname, hook_rows[hook].library);
}

int hook_number(const char *name)
{
	for (unsigned int i = 0; i < HOOK_COUNT; i++)
		if (hook_entries[i].exported && own_equal(hook_rows[i].name, name))
			return (int)i;
	return -1;
}
