/* resolver.c - hipGetProcAddress: a name is looked up among what this library exports; from 7 on the flag asks for the thread's stream. */
#include "tests/sims/hip/abi.h"
#include <stdio.h>
#include <string.h>

#define HOOK(ret, sym, ...) extern __attribute__((visibility("default"))) void sym(void);
#define HOOK_VALUE	    HOOK
#define HOOK_VOID(sym, ...) HOOK(void, sym)
#define AS		    HOOK
#define NAME(sym)	    HOOK(void, sym)
#include ROWS
#undef HOOK
#define HOOK(ret, sym, ...) { #sym, sym },

static const struct {
	const char *name;
	void (*function)(void);
} exported[] = {
#include ROWS
};

static void (*find(const char *name))(void)
{
	for (size_t i = 0; i < sizeof(exported) / sizeof(*exported); i++)
		if (!strcmp(exported[i].name, name))
			return exported[i].function;
	return NULL;
}

__attribute__((visibility("hidden"))) hipError_t do_hipGetProcAddress(const char *symbol, void **pfn, int hipVersion, uint64_t flags,
								      hipDriverProcAddressQueryResult *symbolStatus);
hipError_t do_hipGetProcAddress(const char *symbol, void **pfn, int hipVersion, uint64_t flags, hipDriverProcAddressQueryResult *symbolStatus)
{
	void (*found)(void) = NULL;
	char name[128];

	(void)hipVersion;
	snprintf(name, sizeof(name), "%s_spt", symbol ? symbol : "");
	if (SIM_HIP >= 7 && flags == 2)
		found = find(name);
	if (!found && symbol)
		found = find(symbol);
	if (symbolStatus)
		*symbolStatus = found ? 0 : 1;
	*(void (**)(void))pfn = found;
	return found ? 0 : SIM_ERROR_INVALID_VALUE;
}
