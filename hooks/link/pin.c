/*
 * pin.c - libraries that must stay, because we hold pointers into them. They are held when somebody is about to
 * close one (dlopen.c), not before: whoever opens a library holds the loader's lock while its constructors
 * run, and these may wait for a thread whose call comes here.
 */
#include <dlfcn.h>
#include <string.h>
#include "agent/base/text.h"
#include "agent/os/elf.h"
#include "agent/os/signal_context.h"
#include "hooks/link/resolve.h"

#define PINS 1024 /* beyond, and of longer paths, a library is held at once */
static struct pin {
	char path[1024];
	_Atomic bool wanted, done;
} pins[PINS];

static void hold(const char *path)
{
	void *(*open_library)(const char *, int) = elf_find("dlopen", true);

	if (open_library)
		open_library(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

bool hook_pin(const char *path)
{
	static _Atomic unsigned int used;
	unsigned int i;

	for (i = 0; i < PINS; i++)
		if (atomic_load(&pins[i].wanted) && text_equal(pins[i].path, path))
			return true;
	if (!path[0])
		return true;
	i = strlen(path) < sizeof(pins[0].path) && atomic_load(&used) < PINS ? atomic_fetch_add(&used, 1) : PINS;
	if (i < PINS) {
		text_copy(pins[i].path, sizeof(pins[i].path), path);
		atomic_store(&pins[i].wanted, true);
		return true;
	}
	if (signal_context_running()) /* it takes memory: the next call comes here again */
		return false;
	hold(path);
	return true;
}

void hook_pin_now(void)
{
	for (unsigned int i = 0; i < PINS; i++)
		if (atomic_load(&pins[i].wanted) && !atomic_exchange(&pins[i].done, true))
			hold(pins[i].path);
}
