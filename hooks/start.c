/*
 * start.c - the library's constructor. Next to nothing may happen here: most processes that inherit LD_PRELOAD never
 * call a vendor, and hooks may be called before it ran.
 */
#include "agent/agent.h"
#include "agent/os/elf.h"
#include "hooks/link/dlopen.h"
#include "hooks/link/probes.h"
#include "hooks/link/providers.h"
#include "hooks/link/resolve.h"

__attribute__((constructor)) BARE static void loaded(void)
{
	agent_loaded(&hook_guest);
	if (elf_is_copy())
		return;
	providers_started();
	dlopen_early();
	probes_early();
}
