/*
 * layer.c - the ICD loader's own door: OPENCL_LAYERS=/path/libranktrace.so. The loader gives us a table
 * of the functions below us and calls what we give back, whichever road led to it, RTLD_DEEPBIND and
 * statically linked programs included.
 *
 * Preloaded as well, our exported functions have seen each call before the loader did: then the table goes
 * back as it came. So it does from a second copy of us.
 */
#include <dlfcn.h>
#include <string.h>
#include "agent/os/elf.h"
#include "hooks/link/resolve.h"
#include "hooks/link/wrapper_for.h"
#include "hooks/opencl/abi.h"
#include "hooks/rows/index.h"

#define SLOT(name) #name,
static const char *const names[] = {
#include "hooks/opencl/layer_slots.def"
};
#undef SLOT
#define SLOTS (sizeof(names) / sizeof(*names))

static void *below[SLOTS], *given[SLOTS];
static _Atomic bool taken; /* a second loader in the process gets its own table back */

EXPORT cl_int clGetLayerInfo(cl_uint info, size_t size, void *value, size_t *size_ret);
EXPORT cl_int clInitLayer(cl_uint count, void *const *target, cl_uint *count_ret, void *const **layer);

EXPORT cl_int clGetLayerInfo(cl_uint info, size_t size, void *value, size_t *size_ret)
{
	static const cl_uint version = CL_LAYER_VERSION;
	static const char name[] = "ranktrace";
	const void *answer = info == CL_LAYER_API_VERSION ? (const void *)&version : name;
	size_t bytes = info == CL_LAYER_API_VERSION ? sizeof(version) : sizeof(name);

	if (info != CL_LAYER_API_VERSION && info != CL_LAYER_NAME)
		return CL_INVALID_VALUE;
	if (value && size < bytes)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, answer, bytes);
	if (size_ret)
		*size_ret = bytes;
	return 0;
}

static void *find_below(const char *name)
{
	for (size_t i = 0; i < SLOTS; i++)
		if (!strcmp(names[i], name))
			return below[i];
	return NULL;
}

/* A slot that is empty below us stays so. */
static void fill(cl_uint count, void *const *target)
{
	memcpy(below, target, count * sizeof(*target));
	memcpy(given, target, count * sizeof(*target));
	hook_below = find_below;
	for (cl_uint i = 0; i < count; i++) {
		int hook = below[i] ? index_find(names[i]) : -1;
		void *trampoline = hook >= 0 ? wrapper_trampoline((unsigned int)hook, below[i]) : NULL;

		if (trampoline)
			given[i] = trampoline;
	}
}

/* What was preloaded stands in front of every library of the vendor's. */
static bool calls_come_to_us_first(const void *loader)
{
	struct elf_object o;

	return elf_is_copy() || !elf_object_at(loader, &o) || !elf_before_us(&o);
}

EXPORT cl_int clInitLayer(cl_uint count, void *const *target, cl_uint *count_ret, void *const **layer)
{
	if (!target || !count_ret || !layer)
		return CL_INVALID_VALUE;
	*count_ret = count;
	*layer = target;
	if (calls_come_to_us_first(__builtin_return_address(0)) || atomic_exchange(&taken, true))
		return 0;
	*count_ret = count < SLOTS ? count : SLOTS;
	fill(*count_ret, target);
	*layer = given;
	return 0;
}
