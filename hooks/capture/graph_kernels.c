#include "hooks/capture/graph_kernels.h"
#include <string.h>
#include "agent/os/pages.h"
#include "agent/record/handles.h"
#include "agent/record/recent_keys.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"

#define DIFFERENT 65536 /* graphs that a session defines; launches of those beyond have no names */

#define CHUNK	  65536

static struct handles launches;	   /* hash of what a graph consists of: a = DEF_LAUNCH id, b = address of a copy */
static _Atomic uint64_t different; /* generation << 32 | how many */

void graph_kernels_add(struct graph_kernels *g, uint64_t name)
{
	g->graph.kernels++;
	for (uint32_t i = 0; name && i < g->graph.names; i++)
		if (g->list[i].name == name) {
			g->list[i].nodes++;
			return;
		}
	if (name && g->graph.names < GRAPH_NAMES)
		g->list[g->graph.names++] = (struct def_graph_kernel){ name, 1 };
	else
		g->graph.others++;
}

static bool take_away(struct graph_kernels *g, uint64_t name)
{
	struct def_graph_kernel *last = &g->list[g->graph.names];

	for (struct def_graph_kernel *k = g->list; name && k < last; k++) {
		if (k->name != name)
			continue;
		if (!--k->nodes)
			*k = g->list[--g->graph.names];
		return true;
	}
	if (!g->graph.others)
		return false;
	g->graph.others--;
	return true;
}

bool graph_kernels_change(struct graph_kernels *g, uint64_t before, uint64_t after)
{
	if (!take_away(g, before))
		return false;
	g->graph.kernels--;
	graph_kernels_add(g, after);
	return true;
}

size_t graph_kernels_size(const struct graph_kernels *g)
{
	return offsetof(struct graph_kernels, list) + g->graph.names * sizeof(*g->list);
}

/* In any order. */
static uint64_t hash_of(const struct graph_kernels *g)
{
	uint64_t h = recent_keys_of((uint64_t)g->graph.nodes << 32 | session_generation, (uint64_t)g->graph.kernels << 32 | g->graph.others);

	for (uint32_t i = 0; i < g->graph.names; i++)
		h += recent_keys_of(g->list[i].name, g->list[i].nodes);
	return h | 1;
}

static uint64_t define(const struct graph_kernels *g)
{
	struct def_launch launch = { .name = 0 };
	uint64_t id;

	if (!session_has_room(&different, DIFFERENT, LIMIT_untold_graphs))
		return 0;
	id = definitions_id();
	if (!definitions_add(DEF_GRAPH, id, &g->graph, sizeof(g->graph), g->list, g->graph.names * sizeof(*g->list)) ||
	    !definitions_add(DEF_LAUNCH, id, &launch, sizeof(launch), NULL, 0))
		return 0;
	return id;
}

/* Those that were defined, one behind the other; few programs have many. NULL: another thread is here, or there is no memory. */
static const struct graph_kernels *copy_of(const struct graph_kernels *g)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	static uint8_t *chunk;
	static size_t left;
	size_t size = (graph_kernels_size(g) + 7) & ~(size_t)7;
	void *place = NULL;

	if (atomic_flag_test_and_set(&busy))
		return NULL;
	if (left < size && (chunk = pages_take(CHUNK)))
		left = CHUNK;
	if (chunk && left >= size) {
		place = chunk;
		chunk += size;
		left -= size;
	}
	atomic_flag_clear(&busy);
	return place ? memcpy(place, g, graph_kernels_size(g)) : NULL;
}

uint64_t graph_kernels_launch(const struct graph_kernels *g, const struct graph_kernels **kept)
{
	uint64_t hash = hash_of(g), id;
	struct handle_slot *s = handles_get(&launches, hash);

	if (!s) {
		id = define(g);
		s = id ? handles_put(&launches, hash, id, 0) : NULL;
	}
	if (s && !atomic_load(&s->b))
		atomic_store(&s->b, (uintptr_t)copy_of(g));
	*kept = s ? (const struct graph_kernels *)(uintptr_t)atomic_load(&s->b) : NULL;
	return s ? atomic_load(&s->a) : 0;
}
