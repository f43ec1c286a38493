/* elf_depends.c - what an object depends on, directly or through others. */
#include "agent/base/text.h"
#include "agent/os/elf.h"

/* What dependencies are followed through: large programs have some 400 objects. */
#define GRAPH 512

struct graph {
	struct {
		const ElfW(Dyn) * dynamic;
		const char *strings, *name;
	} objects[GRAPH];
	unsigned int count;
	uint16_t queue[GRAPH]; /* indices of the objects reached, in the order reached */
	unsigned int reached;
	bool seen[GRAPH];
};

static bool add_object(const struct elf_object *o, void *data)
{
	struct graph *g = data;

	g->objects[g->count].dynamic = o->dynamic;
	g->objects[g->count].strings = o->strings;
	g->objects[g->count++].name = elf_name(o);
	return g->count == GRAPH;
}

static void reach(struct graph *g, const char *name)
{
	for (unsigned int i = 0; i < g->count; i++)
		if (!g->seen[i] && text_equal(g->objects[i].name, name)) {
			g->seen[i] = true;
			g->queue[g->reached++] = (uint16_t)i;
		}
}

/*
 * Goes through what an object needs; true if name is there. A library without a soname is needed by
 * the path that the linker was given.
 */
static bool needs(struct graph *g, const ElfW(Dyn) * dynamic, const char *strings, const char *name)
{
	for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++) {
		const char *needed;

		if (d->d_tag != DT_NEEDED)
			continue;
		needed = text_basename(strings + d->d_un.d_val);
		if (text_equal(needed, name))
			return true;
		reach(g, needed);
	}
	return false;
}

bool elf_depends(const struct elf_object *object, const char *name)
{
	struct graph g = { .count = 0 };

	elf_walk(add_object, &g);
	if (needs(&g, object->dynamic, object->strings, name))
		return true;
	for (unsigned int i = 0; i < g.reached; i++)
		if (needs(&g, g.objects[g.queue[i]].dynamic, g.objects[g.queue[i]].strings, name))
			return true;
	return false;
}

struct needed {
	const struct elf_object *from;
	const char *name;
	void *result;
};

static bool needed_visit(const struct elf_object *o, void *data)
{
	struct needed *n = data;
	void *function = elf_is_us(o) ? NULL : elf_lookup(o, n->name);

	if (function && (o->dynamic == n->from->dynamic || elf_depends(n->from, elf_name(o))))
		n->result = function;
	return n->result;
}

void *elf_find_needed(const struct elf_object *object, const char *name)
{
	struct needed n = { object, name, NULL };

	elf_walk(needed_visit, &n);
	return n.result;
}
