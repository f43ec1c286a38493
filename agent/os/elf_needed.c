/* elf_needed.c - what an object depends on, as DT_NEEDED tells: the scope of one that was opened for itself. */
#include "agent/base/text.h"
#include "agent/os/elf.h"
#include "agent/os/pages.h"

struct node {
	const ElfW(Dyn) * dynamic;
	const char *strings, *name;
	unsigned int queued; /* of the one that was reached as this one's number: its own number */
	bool seen;
};

#define FEW  256 /* more objects than most programs have: on the stack */
#define MORE 64	 /* may be loaded between two looks */

struct graph {
	struct node *nodes;
	unsigned int count, most, reached;
};

static bool add_object(const struct elf_object *o, void *data)
{
	struct graph *g = data;

	g->nodes[g->count++] = (struct node){ .dynamic = o->dynamic, .strings = o->strings, .name = elf_name(o) };
	return g->count == g->most;
}

static void reach(struct graph *g, const char *name)
{
	for (unsigned int i = 0; i < g->count; i++)
		if (!g->nodes[i].seen && text_equal(g->nodes[i].name, name)) {
			g->nodes[i].seen = true;
			g->nodes[g->reached++].queued = i;
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

static bool leads_to(struct graph *g, const struct elf_object *object, const char *name)
{
	elf_walk(add_object, g);
	if (needs(g, object->dynamic, object->strings, name))
		return true;
	for (unsigned int i = 0; i < g->reached; i++) {
		const struct node *n = &g->nodes[g->nodes[i].queued];

		if (needs(g, n->dynamic, n->strings, name))
			return true;
	}
	return false;
}

static bool count_object(const struct elf_object *o, void *count)
{
	(void)o;
	++*(unsigned int *)count;
	return false;
}

/* A signal handler may be here: memory comes from the kernel. */
bool elf_depends(const struct elf_object *object, const char *name)
{
	unsigned int count = MORE;
	struct node few[FEW], *many = NULL;
	struct graph g = { .nodes = few, .most = FEW };
	bool found;

	elf_walk(count_object, &count);
	if (count > FEW)
		many = pages_take(count * sizeof(*many));
	if (many)
		g = (struct graph){ .nodes = many, .most = count };
	found = leads_to(&g, object, name);
	if (many)
		pages_give(many, count * sizeof(*many));
	return found;
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
