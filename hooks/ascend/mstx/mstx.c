/* mstx.c - mstx's markers, and its domains, which may be ours. */
#include "hooks/ascend/mstx/mstx.h"
#include "agent/base/hash.h"
#include "agent/session/session.h"

struct markers mstx_markers;

static struct handles stamps; /* a = DEF_MARKER id, b = generation of the session */

#define OWN_DOMAIN ((uintptr_t)1 << (8 * sizeof(uintptr_t) - 1)) /* no pointer of the program's has it */

mstxDomainHandle_t mstx_own_domain(const char *name)
{
	return (mstxDomainHandle_t)(uintptr_t)(hash_text(HASH_BEGIN, name ? name : "") | OWN_DOMAIN);
}

mstxDomainHandle_t mstx_their_domain(mstxDomainHandle_t domain)
{
	return (uintptr_t)domain & OWN_DOMAIN ? NULL : domain;
}

void mstx_new_domain(mstxDomainHandle_t domain, const char *name)
{
	markers_new_domain(&mstx_markers, domain, name);
	mark_clock_domain(&mstx_markers, domain, name);
}

void mstx_end_domain(mstxDomainHandle_t domain)
{
	if (mstx_their_domain(domain)) /* others may have ours, too */
		markers_end_domain(&mstx_markers, domain);
}

/* ---- stamps (aclprof.def) ---- */

uint64_t mstx_stamp(const void *stamp)
{
	struct handle_slot *s = stamp ? handles_get(&stamps, (uintptr_t)stamp) : NULL;

	return s && atomic_load(&s->b) == session_generation ? atomic_load(&s->a) : 0;
}

void mstx_set_stamp(const void *stamp, const char *message)
{
	if (stamp && gate_may_record())
		handles_put(&stamps, (uintptr_t)stamp, markers_id(&mstx_markers, NULL, message), session_generation);
}

void mstx_end_stamp(const void *stamp)
{
	struct handle_slot *s = stamp ? handles_get(&stamps, (uintptr_t)stamp) : NULL;

	if (s)
		handles_forget(s);
}
