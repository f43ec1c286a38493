#include "hooks/ascend/mstx/mark_clock.h"

static struct handles heard_in; /* domain: a = who hears it */
static struct handles ranges;	/* number + 1: a = who hears its end, with IN_ORDER */
#define IN_ORDER (1ull << 32)

void mark_domain(mstxDomainHandle_t domain, const char *name)
{
	if (domain && name && gate_may_record())
		handles_put(&heard_in, (uintptr_t)domain, source_marker_domain(name), 0);
}

static uint32_t who_hears(mstxDomainHandle_t domain)
{
	struct handle_slot *s = domain ? handles_get(&heard_in, (uintptr_t)domain) : NULL;

	return s ? (uint32_t)atomic_load(&s->a) : source_marker_domain(NULL);
}

uint32_t mark_heard(mstxDomainHandle_t domain, const char *message)
{
	return source_marker_matches(who_hears(domain), message);
}

void mark_range(uint32_t heard, uint64_t stage, bool in_order, uint64_t number)
{
	handles_put(&ranges, number + 1, heard | (in_order ? IN_ORDER : 0), stage);
}

bool mark_range_is_heard(uint64_t number)
{
	return handles_get(&ranges, number + 1);
}

void mark_range_ends(uint64_t number, const void *caller)
{
	struct handle_slot *s = handles_get(&ranges, number + 1);
	uint64_t heard, stage;

	if (!s)
		return;
	heard = atomic_load(&s->a);
	stage = atomic_load(&s->b);
	handles_forget(s);
	source_marker_leaves(stage, heard & IN_ORDER, caller);
	source_marker_ends((uint32_t)heard, heard & IN_ORDER, caller);
}
