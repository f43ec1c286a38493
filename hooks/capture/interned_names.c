#include "hooks/capture/interned_names.h"
#include "agent/os/signal_context.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"
#include "agent/steps/source_kernel.h"

struct handles launch_ids;

static struct handles names; /* hash of a name: a = DEF_STRING id, b = it matches a kernel: step source */

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9E3779B97F4A7C15ull;
	return h ^ h >> 29;
}

uint64_t name_id(const char *name, bool *matches)
{
	uint64_t h = mix(session_generation, 7);
	struct handle_slot *s;
	uint64_t id;

	for (const char *c = name; *c; c++)
		h = mix(h, (unsigned char)*c);
	s = handles_get(&names, h);
	if (!s && signal_context_running())
		return NAME_LATER; /* for now: what matches says takes memory */
	if (!s) {
		id = definitions_id();
		*matches = source_kernel_matches(name);
		if (!definitions_text(DEF_STRING, id, name))
			return 0;
		handles_put(&names, h, id, *matches);
		return id;
	}
	*matches = atomic_load(&s->b);
	return atomic_load(&s->a);
}

/* shared: NULL: it is not told. */
static uint64_t define_launch(uint64_t hash, uint64_t name, uint32_t dims, const size_t *global, const size_t *local, const uint64_t *shared)
{
	struct def_launch d = { .name = name, .dimensions = dims, .has_local = local && dims };
	uint64_t id = definitions_id();

	for (uint32_t i = 0; i < dims; i++) {
		d.global[i] = global[i];
		d.local[i] = local ? local[i] : 0;
	}
	if (!definitions_add(DEF_LAUNCH, id, &d, sizeof(d), shared, shared ? sizeof(*shared) : 0))
		return 0;
	handles_put(&launch_ids, hash, id, 0);
	return id;
}

/* Where there is no room for its sizes it has its name still. */
static uint64_t find_launch(uint64_t hash, uint64_t name, uint32_t dims, const size_t *global, const size_t *local, const uint64_t *shared)
{
	struct handle_slot *s = handles_get(&launch_ids, hash);
	uint64_t id = s ? atomic_load_explicit(&s->a, memory_order_relaxed) : define_launch(hash, name, dims, global, local, shared);

	return id || !dims ? id : launch_id_slowly(name, 0, NULL, NULL);
}

uint64_t launch_id_slowly(uint64_t name, uint32_t dims, const size_t *global, const size_t *local)
{
	return find_launch(launch_hash(name, dims, global, local), name, dims, global, local, NULL);
}

uint64_t launch_id_shared(uint64_t name, uint32_t dims, const size_t *global, const size_t *local, uint64_t shared)
{
	uint64_t hash = launch_hash(name, dims, global, local) + (shared + 1) * 0x2D358DCCAA6C78A5ull * 2;

	return find_launch(hash, name, dims, global, local, &shared);
}
