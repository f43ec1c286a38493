/* mstx.c - tracks markers: what their messages and domains are called. */
#include "hooks/ascend/mstx/mstx.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"

static struct handles domains; /* a = DEF_STRING id, b = generation of the session */
static struct handles markers; /* message and domain: a = DEF_MARKER id */
static struct handles stamps;  /* a = DEF_MARKER id, b = generation of the session */

const char *mstx_text(const char *message, size_t size, struct marker_text *copy)
{
	size_t n = 0;

	for (; n < size && n < MARKER_TEXT - 1 && message[n]; n++)
		copy->text[n] = message[n];
	copy->text[n] = '\0';
	return copy->text;
}

void mstx_new_domain(mstxDomainHandle_t domain, const char *name)
{
	bool matches;
	uint64_t id;

	if (!domain || !name || !gate_may_record())
		return;
	id = name_id(name, &matches);
	if (id != NAME_LATER)
		handles_put(&domains, (uintptr_t)domain, id, session_generation);
}

#define OWN_DOMAIN ((uintptr_t)1 << (8 * sizeof(uintptr_t) - 1)) /* no pointer of the program's has it */

mstxDomainHandle_t mstx_own_domain(const char *name)
{
	uintptr_t h = 0xCBF29CE484222325ull;

	for (; name && *name; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001B3ull;
	return (mstxDomainHandle_t)(h | OWN_DOMAIN);
}

mstxDomainHandle_t mstx_their_domain(mstxDomainHandle_t domain)
{
	return (uintptr_t)domain & OWN_DOMAIN ? NULL : domain;
}

void mstx_end_domain(mstxDomainHandle_t domain)
{
	struct handle_slot *s = handles_get(&domains, (uintptr_t)domain);

	if (s && mstx_their_domain(domain)) /* others may have ours, too */
		handles_forget(s);
}

uint64_t mstx_domain_name(mstxDomainHandle_t domain)
{
	struct handle_slot *s = domain ? handles_get(&domains, (uintptr_t)domain) : NULL;

	return s && atomic_load(&s->b) == session_generation ? atomic_load(&s->a) : 0;
}

uint64_t mstx_marker(mstxDomainHandle_t domain, const char *message)
{
	bool matches;
	struct def_marker d = { .message = message ? name_id(message, &matches) : 0, .domain = mstx_domain_name(domain) };
	uint64_t key = (d.message ^ d.domain << 32 ^ (uint64_t)session_generation << 56) * 0x9E3779B97F4A7C15ull | 1, id;
	struct handle_slot *s = handles_get(&markers, key);

	if (s)
		return atomic_load(&s->a);
	id = definitions_id();
	if (d.message == NAME_LATER || !definitions_add(DEF_MARKER, id, &d, sizeof(d), NULL, 0))
		return 0;
	handles_put(&markers, key, id, 0);
	return id;
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
		handles_put(&stamps, (uintptr_t)stamp, mstx_marker(NULL, message), session_generation);
}

void mstx_end_stamp(const void *stamp)
{
	struct handle_slot *s = stamp ? handles_get(&stamps, (uintptr_t)stamp) : NULL;

	if (s)
		handles_forget(s);
}
