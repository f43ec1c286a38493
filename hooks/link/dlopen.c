/* The exported functions are assembly (dlsym.S): they ask here, and jump on to the real function with what they are answered. */
#include "hooks/link/dlopen.h"
#include <dlfcn.h>
#include <stdlib.h>
#include "agent/os/elf.h"
#include "agent/scout.h"
#include "agent/session/settings.h"
#include "agent/stacks/stacks.h"
#include "config/option.h"
#include "hooks/link/call_sites.h"
#include "hooks/link/resolve.h"

/* Read by dlsym.S. Found at the first use. */
__attribute__((visibility("hidden"))) void *real_dlopen, *real_dlmopen, *real_dlclose;

BARE void *dlopen_real(void)
{
	if (!real_dlopen)
		real_dlopen = elf_find("dlopen", true);
	return real_dlopen;
}

void dlopen_early(void)
{
	const char *text = getenv("RANKTRACE_UNDO_DEEPBIND");
	char why[128];

	if (text)
		option_set(&settings, OPTION_undo_deepbind, text, why, sizeof(why));
}

long dlopen_opening(const char *path, long flags);
long dlopen_opening_elsewhere(long namespace, long path);

/* A library's constructors may call a second provider before anybody asks dlsym for it, and it may lie where another one was. */
BARE static void opening(void)
{
	hook_unresolve_all();
	scout_library_opened();
	stacks_opening();
}

BARE long dlopen_opening(const char *path, long flags)
{
	dlopen_real();
	if (!path || flags & RTLD_NOLOAD)
		return flags;
	opening();
	if (!(flags & RTLD_DEEPBIND))
		return flags;
	if (settings.undo_deepbind)
		return flags & ~(long)RTLD_DEEPBIND;
	atomic_fetch_add(&hook_deepbind, 1);
	return flags;
}

BARE long dlopen_opening_elsewhere(long namespace, long path)
{
	if (!real_dlmopen)
		real_dlmopen = elf_find("dlmopen", true);
	if (namespace == LM_ID_BASE)
		opening();
	else
		atomic_fetch_add(&hook_namespaces, 1);
	return path;
}

long dlopen_closing(long handle, long unused);

BARE long dlopen_closing(long handle, long unused)
{
	(void)handle;
	if (!real_dlclose)
		real_dlclose = elf_find("dlclose", true);
	call_sites_renew();
	hook_pin_now();
	return unused;
}
