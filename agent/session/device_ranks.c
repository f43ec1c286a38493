#include "agent/session/device_ranks.h"
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include "agent/session/definitions.h"
#include "agent/session/identity.h"
#include "agent/session/settings.h"

#define MEMBERS 256 /* communicators; of later ones nothing follows */
#define DEVICES 64  /* the same of devices with a higher number */
#define NO_RANK (-1)

static struct member {
	uint64_t group;
	int64_t rank;
	uint32_t size;
	_Atomic uint32_t device; /* 0: not filled in yet */
} members[MEMBERS];
static _Atomic uint32_t count;
static _Atomic int64_t ranks[DEVICES]; /* of each device as told last, plus one; 0: none */

static uint32_t filled(void)
{
	uint32_t n = atomic_load(&count);

	return n < MEMBERS ? n : MEMBERS;
}

/* Devices that are in the group, a bit each. */
static uint64_t devices_of(uint64_t group)
{
	uint64_t devices = 0;
	uint32_t n = filled(), device;

	for (uint32_t i = 0; i < n; i++)
		if ((device = atomic_load(&members[i].device)) && members[i].group == group)
			devices |= 1ull << device;
	return devices;
}

static bool rank_is_told(void)
{
	return identity.rank >= 0 && strcmp(identity.rank_source, IDENTITY_INFERRED);
}

/*
 * Variables count processes (torchrun's, Slurm's) where one tells a rank, too: each has as many devices as this one. A world without a
 * rank is of devices (RANK_SIZE). Where nothing is told all ranks have to be here.
 */
static bool is_world(const struct member *m)
{
	int64_t here = __builtin_popcountll(devices_of(m->group));

	if (here < 2)
		return false;
	if (identity.world < 0)
		return !rank_is_told() && m->size == here;
	return m->size == identity.world * (rank_is_told() ? here : 1);
}

static const struct member *find_world(void)
{
	const struct member *world = NULL;
	uint32_t n = filled();

	for (uint32_t i = 0; i < n; i++)
		if (atomic_load(&members[i].device) && (!world || members[i].size > world->size) && is_world(&members[i]))
			world = &members[i];
	return world;
}

static int64_t rank_of(const struct member *world, uint32_t device)
{
	uint32_t n = world ? filled() : 0;

	for (uint32_t i = 0; i < n; i++)
		if (atomic_load(&members[i].device) == device && members[i].group == world->group)
			return members[i].rank;
	return NO_RANK;
}

static bool tell(uint32_t device, int64_t rank, uint32_t size)
{
	struct def_device_rank d = { .rank = rank, .size = size };

	if (atomic_exchange(&ranks[device], rank + 1) == rank + 1)
		return false;
	definitions_add(DEF_DEVICE_RANK, device, &d, sizeof(d), NULL, 0);
	if (rank >= 0 && !settings.ranks.all && selection_has(&settings.ranks, rank))
		identity_told(rank, IDENTITY_INFERRED);
	return true;
}

bool device_ranks_told(uint64_t group, int64_t rank, uint32_t size, uint32_t device)
{
	uint32_t at;
	bool changed = false;
	const struct member *world;

	if (!group || rank < 0 || rank >= size || !device || device >= DEVICES || atomic_load(&count) >= MEMBERS ||
	    (at = atomic_fetch_add(&count, 1)) >= MEMBERS)
		return false;
	members[at].group = group;
	members[at].rank = rank;
	members[at].size = size;
	atomic_store(&members[at].device, device);
	identity_read();
	world = find_world();
	for (device = 1; device < DEVICES; device++)
		changed |= tell(device, rank_of(world, device), world ? world->size : 0);
	return changed;
}
