/*
 * opener.c - what dlopen, dlmopen and dlclose mean for us. The doors themselves are assembly (door.S): they ask here, and
 * jump on to the real function with what they are answered.
 */
#include "hooks/link/resolve.h"
#include "agent/agent.h"
#include "agent/os/elf.h"
#include "agent/flush/file_text.h"
#include "config/option.h"
#include <dlfcn.h>
#include <stdlib.h>

/* Read by door.S. Found at the first use. */
__attribute__((visibility("hidden"))) void *door_real_dlopen, *door_real_dlmopen, *door_real_dlclose;

BARE void *door_find_opener(void)
{
	if (!door_real_dlopen)
		door_real_dlopen = elf_find("dlopen", true);
	return door_real_dlopen;
}

/* The constructor calls this: libraries are opened long before settings are read. */
void door_early(void)
{
	const char *text = getenv("RANKTRACE_UNDO_DEEPBIND");
	char why[128];

	if (text)
		option_set(&agent_config, OPTION_undo_deepbind, text, why, sizeof(why));
}

long door_opening(const char *path, long flags);
long door_opening_elsewhere(long namespace, long path);

/* A library is opened: its constructors may call a second provider before anybody asks dlsym for it. */
BARE long door_opening(const char *path, long flags)
{
	door_find_opener();
	if (!path || flags & RTLD_NOLOAD)
		return flags;
	hook_doubt();
	if (!(flags & RTLD_DEEPBIND))
		return flags;
	if (agent_config.undo_deepbind)
		return flags & ~(long)RTLD_DEEPBIND;
	atomic_fetch_add(&facts_deepbind, 1);
	return flags;
}

BARE long door_opening_elsewhere(long namespace, long path)
{
	if (!door_real_dlmopen)
		door_real_dlmopen = elf_find("dlmopen", true);
	if (namespace != LM_ID_BASE)
		atomic_fetch_add(&facts_namespaces, 1);
	return path;
}

long door_closing(long handle, long unused);

BARE long door_closing(long handle, long unused)
{
	(void)handle;
	if (!door_real_dlclose)
		door_real_dlclose = elf_find("dlclose", true);
	hook_libraries_change();
	hook_pin_now();
	return unused;
}
