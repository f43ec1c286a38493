#include "agent/record/launch_cache.h"
#include <sys/mman.h>
#include "agent/record/rings.h"

_Atomic uint64_t launch_cache_stamp = 2;

static struct launch *tables[RINGS_MAX];

bool launch_cache_set_match(bool matches)
{
	uint64_t before = matches ? atomic_fetch_or(&launch_cache_stamp, 1) : atomic_fetch_and(&launch_cache_stamp, ~1ull);

	return (before & 1) != matches;
}

/* A place has one owner at a time, so has its table; the next owner may even profit by it. */
struct launch *launch_cache_of(uint32_t place)
{
	struct launch **table = &tables[place - 1];
	void *memory;

	if (*table)
		return *table;
	memory = mmap(NULL, sizeof(**table) << (LAUNCH_SETS_BITS + 1), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory != MAP_FAILED)
		*table = memory;
	return *table;
}

struct launch *launch_cache_place(struct launch *table, uint64_t function)
{
	struct launch *l = launch_cache_set(table, function);

	if (l[0].function == function || !l[0].function)
		return l;
	if (l[1].function != function)
		l[1] = l[0];
	else
		l++;
	return l;
}

void launch_cache_resize(struct launch *l, uint64_t key, uint32_t dims, const size_t *global, const size_t *local)
{
	l->key = (uint32_t)key;
	for (uint32_t i = 0; i < dims; i++) {
		l->global[i] = (uint32_t)global[i];
		l->local[i] = local ? (int16_t)local[i] : LAUNCH_LOCAL_NONE;
		if (global[i] > UINT32_MAX || (local && local[i] > INT16_MAX))
			l->stamp = 0;
	}
	if (key > UINT32_MAX)
		l->stamp = 0;
}
