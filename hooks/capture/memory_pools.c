#include "hooks/capture/memory_pools.h"
#include <stdatomic.h>
#include "agent/session/definitions.h"
#include "agent/session/session.h"

uint16_t memory_pools_define(const struct def_pool *d)
{
	static _Atomic uint32_t count;
	uint32_t id = atomic_load(&count) < UINT16_MAX ? atomic_fetch_add(&count, 1) + 1 : UINT16_MAX + 1;

	if (id > UINT16_MAX) {
		session_beyond(LIMIT_untracked_handles, 1);
		return 0;
	}
	return definitions_add(DEF_POOL, id, d, sizeof(*d), NULL, 0) ? (uint16_t)id : 0;
}
