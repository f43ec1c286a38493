#include "hooks/capture/markers/markers.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"
#include "hooks/capture/interned_names.h"

static struct handles ids; /* message and domain, of whichever vendor: a = DEF_MARKER id */

const char *markers_text(const char *message, size_t size, struct marker_text *copy)
{
	size_t n = 0;

	for (; n < size && n < MARKER_TEXT - 1 && message[n]; n++)
		copy->text[n] = message[n];
	copy->text[n] = '\0';
	return copy->text;
}

void markers_new_domain(struct markers *of, const void *domain, const char *name)
{
	bool matches;
	uint64_t id;

	if (!domain || !name || !gate_may_record())
		return;
	id = name_id(name, &matches);
	if (id != NAME_LATER)
		handles_put(&of->domains, (uintptr_t)domain, id, session_generation);
}

void markers_end_domain(struct markers *of, const void *domain)
{
	struct handle_slot *s = handles_get(&of->domains, (uintptr_t)domain);

	if (s)
		handles_forget(s);
}

uint64_t markers_domain_name(struct markers *of, const void *domain)
{
	struct handle_slot *s = domain ? handles_get(&of->domains, (uintptr_t)domain) : NULL;

	return s && atomic_load(&s->b) == session_generation ? atomic_load(&s->a) : 0;
}

uint64_t markers_id(struct markers *of, const void *domain, const char *message)
{
	bool matches;
	struct def_marker d = { .message = message ? name_id(message, &matches) : 0, .domain = markers_domain_name(of, domain) };
	uint64_t key = (d.message ^ d.domain << 32 ^ (uint64_t)session_generation << 56) * 0x9E3779B97F4A7C15ull | 1, id;
	struct handle_slot *s = handles_get(&ids, key);

	if (s)
		return atomic_load(&s->a);
	id = definitions_id();
	if (d.message == NAME_LATER || !definitions_add(DEF_MARKER, id, &d, sizeof(d), NULL, 0))
		return 0;
	handles_put(&ids, key, id, 0);
	return id;
}
