/*
 * driver_resolver.c - cuGetProcAddress: the newest ABI of a name that is not newer than the version that is asked for, nor than
 * the driver (SIM_CUDA_VERSION). Flag 2 wants those of the calling thread's default stream, where there are any.
 *
 * SIM_RESOLVER=other: what is answered is not what the library exports, but does the same (front.c). SIM_NEWER=name: so it is for
 * who asks for this name in a version beyond 13.0, as if there were another ABI since. No prototypes here: of all functions only the
 * addresses are taken.
 */
#include "tests/sims/cuda/abi.h"
#include "tests/sims/lib/sim.h"
#include <stdlib.h>
#include <string.h>

enum { FOUND,
       NOT_FOUND,
       TOO_OLD }; /* CUdriverProcAddressQueryResult */

#define RESOLVED(name, version, thread, symbol)                                                  \
	extern char exported_##symbol[] __asm__(#symbol) __attribute__((visibility("default"))); \
	extern char other_of_##symbol[] __asm__("other_" #symbol) __attribute__((visibility("hidden")));
#include "resolved.def"
#undef RESOLVED

static const struct abi {
	const char *name;
	int version, thread;
	void *exported, *other;
} abis[] = {
#define RESOLVED(name, version, thread, symbol) { name, version, thread, exported_##symbol, other_of_##symbol },
#include "resolved.def"
};

static bool is_set(const char *setting, const char *value)
{
	const char *given = getenv(setting);

	return given && !strcmp(given, value);
}

static bool is_other(const char *name, int version)
{
	return is_set("SIM_RESOLVER", "other") || (version > 13000 && is_set("SIM_NEWER", name));
}

/* status: what to say if there is none */
static const struct abi *newest(const char *name, int thread, int version, int *status)
{
	int driver = (int)sim_setting("SIM_CUDA_VERSION", 13000);
	const struct abi *best = NULL;

	for (size_t i = 0; i < sizeof(abis) / sizeof(*abis); i++) {
		const struct abi *a = &abis[i];

		if (a->thread != thread || a->version > driver || strcmp(a->name, name))
			continue;
		if (a->version > version)
			*status = TOO_OLD;
		else if (!best || a->version > best->version)
			best = a;
	}
	return best;
}

/* SIM_ASKED=path: what is asked for, as `name version flags`. */
static void note(const char *name, int version, cuuint64_t flags)
{
	static FILE *file;
	static int tried;

	if (!tried++)
		file = sim_log("SIM_ASKED");
	if (file)
		fprintf(file, "%s %d %lu\n", *name ? name : "-", version, (unsigned long)flags);
}

__attribute__((visibility("hidden"))) CUresult do_cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
								      CUdriverProcAddressQueryResult *symbolStatus)
{
	const struct abi *best = NULL;
	int status = NOT_FOUND;

	if (!symbol || !pfn)
		return SIM_ERROR_INVALID_VALUE;
	note(symbol, cudaVersion, flags);
	if (flags & 2)
		best = newest(symbol, 1, cudaVersion, &status);
	if (!best)
		best = newest(symbol, 0, cudaVersion, &status);
	*pfn = best ? is_other(symbol, cudaVersion) ? best->other : best->exported : NULL;
	if (symbolStatus)
		*symbolStatus = best ? FOUND : status;
	return best ? 0 : SIM_ERROR_NOT_FOUND;
}

__attribute__((visibility("hidden"))) CUresult do_cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags)
{
	return do_cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, NULL);
}

/* NVIDIA's libraries talk to its driver by tables that nobody else knows: here are none. */
__attribute__((visibility("hidden"))) CUresult do_cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId)
{
	*ppExportTable = NULL;
	return SIM_ERROR_NOT_FOUND;
}
