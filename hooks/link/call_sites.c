#include "hooks/link/call_sites.h"
#include "agent/record/handles.h"

struct call_site call_sites[CALL_SITES];
static struct handles all; /* those, too, that have no room of their own: a = when << 48 | the real function, b = when */
static _Atomic uint64_t renewed;

static uint64_t handle_of(unsigned int hook, const void *caller)
{
	return ((uintptr_t)caller * 0x9E3779B97F4A7C15ull ^ (uint64_t)hook << 40) | 1;
}

/* Its two words may be written while they are read. */
static void *of_moment(uint64_t a, uint64_t when)
{
	return a >> 48 == (when & 0xffff) ? (void *)(uintptr_t)(a << 16 >> 16) : NULL;
}

/* Who loses the race has no room, nor has what was found before objects came or went. */
static void take_room(unsigned int hook, const void *caller, void *real, uint64_t when)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	struct call_site *s = &call_sites[(uintptr_t)caller & (CALL_SITES - 1)];

	if ((uintptr_t)caller >> 48 || atomic_flag_test_and_set(&busy))
		return;
	if (!atomic_load(&s->key)) {
		atomic_store(&s->real, real);
		atomic_store(&s->key, (uint64_t)hook << 48 | (uintptr_t)caller);
		if (atomic_load(&renewed) != when)
			atomic_store(&s->key, 0);
	}
	atomic_flag_clear(&busy);
}

void *call_sites_get(unsigned int hook, const void *caller)
{
	void *real = call_site_get(hook, caller);
	uint64_t when = atomic_load(&renewed);
	struct handle_slot *s;

	if (real)
		return real;
	s = handles_get(&all, handle_of(hook, caller));
	if (s && atomic_load(&s->b) == when)
		real = of_moment(atomic_load(&s->a), when);
	if (real)
		take_room(hook, caller, real, when);
	return real;
}

void *call_sites_last(unsigned int hook, const void *caller)
{
	struct handle_slot *s = handles_get(&all, handle_of(hook, caller));

	return s ? of_moment(atomic_load(&s->a), atomic_load(&s->b)) : NULL;
}

uint64_t call_sites_moment(void)
{
	return atomic_load(&renewed);
}

void call_sites_put(unsigned int hook, const void *caller, void *real, uint64_t when)
{
	if ((uintptr_t)real >> 48 || !handles_put(&all, handle_of(hook, caller), when << 48 | (uintptr_t)real, when))
		return;
	take_room(hook, caller, real, when);
}

/* In this order: what is put meanwhile is wiped here, or by who puts it. */
void call_sites_renew(void)
{
	atomic_fetch_add(&renewed, 1);
	if (!all.slots)
		return;
	for (unsigned int i = 0; i < CALL_SITES; i++)
		atomic_store(&call_sites[i].key, 0);
}
