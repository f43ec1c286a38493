/*
 * dlsym.c - what dlsym and dlvsym answer when somebody asks for a name that we hook. What dlopen means for us:
 * dlopen.c.
 *
 * The exported functions are assembly (dlsym.S): they ask the filter below and otherwise jump to the
 * real function, so that the caller's address, which RTLD_NEXT and RTLD_DEFAULT depend on, stays.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "agent/base/text.h"
#include "agent/os/elf.h"
#include "hooks/link/dlopen.h"
#include "hooks/link/probes.h"
#include "hooks/link/resolve.h"
#include "hooks/link/trampoline.h"
#include "hooks/link/vendor.h"
#include "hooks/link/wrapper_for.h"
#include "hooks/rows/index.h"

typedef void *(*dlsym_fn)(void *, const char *);
typedef void *(*dlvsym_fn)(void *, const char *, const char *);

/* Read by dlsym.S. Found at the first use: a sanitizer asks for dlsym before any constructor ran. */
__attribute__((visibility("hidden"))) void *real_dlsym, *real_dlvsym;

void *dlsym_filter(void *handle, const char *name, const void *caller);
void *dlsym_filter_version(void *handle, const char *name, const char *version, const void *caller);
void dlsym_find_real(void);

BARE void dlsym_find_real(void)
{
	if (!real_dlvsym)
		real_dlvsym = elf_find("dlvsym", true);
	if (!real_dlsym)
		real_dlsym = elf_find("dlsym", true);
}

#define ANSWER_NULL ((void *)1) /* to dlsym.S: the answer is NULL, and dlerror() knows why */

static void *ask(void *handle, const char *name)
{
	return ((dlsym_fn)real_dlsym)(handle, name);
}

typedef int (*close_fn)(void *);

/*
 * A handle of an object that is loaded, and stays: the one who asks, or what it needs. Opening it makes libc
 * able to search it; closed again at once, it is as before.
 */
static void *handle_of_path(const char *path)
{
	static _Atomic(close_fn) known;
	void *(*open_library)(const char *, int) = dlopen_real();
	close_fn close_library = atomic_load(&known);
	void *handle;

	if (!close_library)
		atomic_store(&known, close_library = elf_find("dlclose", true));
	handle = open_library && close_library ? open_library(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	if (handle)
		close_library(handle);
	return handle;
}

static void *handle_of(const struct elf_object *o)
{
	return handle_of_path(o->path);
}

static bool is_main_program(const void *handle)
{
	return handle && handle != RTLD_NEXT && ((const struct link_map *)handle)->l_name[0] == '\0';
}

/* In the program's own scope: what stands there without us. */
static void *global(int hook, const char *name)
{
	void *real = ask(RTLD_DEFAULT, name); /* asked on our own behalf: the scope is the program's */

	return real == hook_entries[hook].own ? ask(RTLD_NEXT, name) : real;
}

/* A tool in front of us has the name, or a fixed program a stub of its own: that leads to us by itself. */
static bool is_in_front(int hook, const void *real)
{
	return real == hook_entries[hook].exported && real != hook_entries[hook].own;
}

/* In the scope of a library that was opened for itself: what it depends on. */
static void *local(const char *name, const void *caller)
{
	struct elf_object from;

	if (!caller || !elf_object_at(caller, &from) || !from.path[0])
		return NULL;
	return elf_find_needed(&from, name);
}

/* RTLD_NEXT of an object in front of us finds us, of one behind us it does not. */
static bool sees_us_next(const void *caller)
{
	struct elf_object from;

	return !elf_object_at(caller, &from) || elf_before_us(&from);
}

#define NO_VERSION "RANKTRACE_NONE" /* that anything has; dlerror() takes it out of the text */

/* The look-up fails in the program's name, and in its scope, of which we are a part: but nothing of ours has a version. */
static void fail_for_program(const char *name)
{
	void *program = handle_of_path(NULL);

	if (!program || !real_dlvsym || ((dlvsym_fn)real_dlvsym)(program, name, NO_VERSION))
		ask(RTLD_NEXT, name);
}

/*
 * We exist only where a vendor does: a program that tests for a feature must not take us for it. The
 * look-up fails once more, for the one who asked, so that dlerror() tells what it would without us.
 */
static void *nobody_has_it(void *handle, const char *name, const void *caller)
{
	struct elf_object from;
	void *asker = NULL;

	if (!is_main_program(handle) && elf_object_at(caller, &from) && from.path[0])
		asker = handle_of(&from);
	if (!asker || ask(asker, name))
		fail_for_program(name);
	return ANSWER_NULL;
}

/* The hook for this function, or NULL: the real look-up may answer. */
static void *answer(int hook, void *real, const void *caller)
{
	/* A vendor's loader looking into its driver, or a runtime into itself, gets what it asks for. */
	if (!real || hook_called_by_vendor((unsigned int)hook, caller))
		return NULL;
	return wrapper_for((unsigned int)hook, real);
}

static void *find_default(int hook, const char *name, const void *caller)
{
	void *real = global(hook, name);

	if (real && is_in_front(hook, real))
		return NULL;
	if (!real) {
		real = local(name, caller);
		ask(RTLD_DEFAULT, "dlsym"); /* dlerror() forgets what failed on the way */
	}
	return real ? answer(hook, real, caller) : nobody_has_it(RTLD_DEFAULT, name, caller);
}

static void *find_next(int hook, const char *name, const void *caller)
{
	if (!sees_us_next(caller))
		return NULL;
	return ask(RTLD_NEXT, name) ? probes_linked(hook, caller) : nobody_has_it(RTLD_NEXT, name, caller);
}

static void *find_in(void *handle, int hook, const char *name, const void *caller)
{
	void *real = ask(handle, name);

	if (real && is_in_front(hook, real))
		return NULL;
	if (real && real == hook_entries[hook].own)
		real = ask(RTLD_NEXT, name);
	if (!real)
		return is_main_program(handle) ? nobody_has_it(handle, name, caller) : NULL;
	return answer(hook, real, caller);
}

/* A step source that has no row. */
static void *probe_of(void *handle, const char *name, const void *caller)
{
	void *real;

	if (!probes_named(name))
		return NULL;
	if (handle == RTLD_NEXT)
		return probes_next(name, caller);
	real = ask(handle, name);
	return probes_find(name, real, real);
}

/* A name without a row, but of a family: whoever has it behind this handle is what the program means. */
static void *find_family(void *handle, int pattern, const char *name, const void *caller)
{
	void *found = handle == RTLD_NEXT ? NULL : ask(handle, name);
	void *real = wrapper_is_ours(found) ? ask(RTLD_NEXT, name) : found;

	if (!real && handle == RTLD_DEFAULT)
		real = local(name, caller);
	if (!real)
		return found ? nobody_has_it(handle, name, caller) : NULL;
	if (hook_called_by_vendor((unsigned int)pattern, caller))
		return NULL;
	return vendors_handout(name, real);
}

/* A name without a row of its own: does a pattern fit, or is it a symbol source? */
static void *find_other(void *handle, const char *name, const void *caller)
{
	int pattern = index_fit(name);
	void *found = pattern >= 0 ? find_family(handle, pattern, name, caller) : NULL;

	return !found && probes_wanted() ? probe_of(handle, name, caller) : found;
}

/* Not instrumented: it runs inside a sanitizer's own start. */
BARE void *dlsym_filter(void *handle, const char *name, const void *caller)
{
	int hook;

	hook_recheck_providers(); /* whoever opens a library asks it for a name next */
	if (UNLIKELY(probes_wanted()))
		probes_arm();
	if (!index_may_have(name) && !(name && probes_wanted()))
		return NULL;
	hook = index_find(name);
	if (hook < 0)
		return find_other(handle, name, caller);
	if (handle == RTLD_NEXT)
		return find_next(hook, name, caller);
	if (handle == RTLD_DEFAULT)
		return find_default(hook, name, caller);
	return find_in(handle, hook, name, caller);
}

BARE void *dlsym_filter_version(void *handle, const char *name, const char *version, const void *caller)
{
	void *real, *near, *owner;
	struct elf_object o;
	int hook;

	if (UNLIKELY(probes_wanted()))
		probes_arm();
	/* A look-up with a version never finds us: we have none. */
	hook = handle == RTLD_NEXT ? -1 : index_find(name);
	if (hook < 0)
		return NULL;
	real = ((dlvsym_fn)real_dlvsym)(handle, name, version);
	if (!real && handle == RTLD_DEFAULT && (near = local(name, caller)) && elf_object_at(near, &o) &&
	    (owner = handle_of(&o)))
		real = ((dlvsym_fn)real_dlvsym)(owner, name, version);
	return answer(hook, real, caller);
}

/* ---- dlerror ---- */

/* The text is libc's own, and may be cut: see fail_for_program(). */
EXPORT char *dlerror(void)
{
	static char *(*real)(void);
	static const char version[] = ", version " NO_VERSION;
	char *text;
	size_t n;

	if (!real)
		real = elf_find("dlerror", true);
	text = real ? real() : NULL;
	n = text ? strlen(text) : 0;
	if (n >= sizeof(version) - 1 && text_equal(text + n - (sizeof(version) - 1), version))
		text[n - (sizeof(version) - 1)] = '\0';
	return text;
}
