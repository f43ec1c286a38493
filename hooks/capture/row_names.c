#include "hooks/capture/row_names.h"
#include "hooks/capture/interned_names.h"
#include "hooks/rows/table.h"

struct row_name row_names[HOOK_COUNT];

static void keep(_Atomic uint64_t *known, uint64_t id)
{
	if (id && id <= UINT32_MAX)
		atomic_store(known, id | (uint64_t)session_generation << 32);
}

/* 0: there is no room now. */
uint64_t row_name(unsigned int hook)
{
	uint64_t known = atomic_load_explicit(&row_names[hook].name, memory_order_relaxed), id;
	bool matches;

	if (LIKELY(known >> 32 == session_generation))
		return (uint32_t)known;
	id = name_id(hook_rows[hook].name, &matches);
	if (id == NAME_LATER)
		return 0;
	keep(&row_names[hook].name, id);
	return id;
}

NOINLINE uint64_t row_launch_slowly(unsigned int hook)
{
	uint64_t name = row_name(hook), id = launch_id(name, 0, NULL, NULL);

	if (name)
		keep(&row_names[hook].launch, id);
	return id;
}
