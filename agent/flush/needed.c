#include "agent/flush/needed.h"
#include <string.h>
#include <sys/mman.h>
#include "agent/session/definitions.h"
#include "agent/session/session.h"

/* Of an id: where its definitions are, in eighths of LOG_NAMED's bytes from 1, and when they were written last. */
struct named {
	uint32_t at, beside, written; /* beside: what more there is of a launch, shapes or a graph */
	uint32_t next;		      /* of those wanted; 0: the last */
};

#define AT_FIRST (1u << 14)

static struct named *table;
static size_t room;		/* of the table */
static uint32_t wanted, newest; /* the list of those wanted, by id; 0: none */
static uint32_t period = 1;	/* what was written in an earlier one counts as not written */
static uint8_t names[1u << 16]; /* by hook: its key is an id */
static struct definitions_place read_to;

static bool make_room(uint64_t id)
{
	size_t more = room ? room : AT_FIRST;
	void *memory;

	if (id < room)
		return true;
	if (id >= UINT32_MAX / 2)
		return false;
	while (more <= id)
		more *= 2;
	memory = room ? mremap(table, room * sizeof(*table), more * sizeof(*table), MREMAP_MAYMOVE)
		      : mmap(NULL, more * sizeof(*table), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	table = memory;
	room = more;
	return true;
}

static size_t padded(const struct definition *d)
{
	return (d->length + 7u) & ~7u;
}

static bool is_written(uint64_t id)
{
	return id < room && table[id].written == period;
}

static void want(uint64_t id)
{
	struct named *n;

	if (!id || (id >= room && (!definitions_has_id(id) || !make_room(id))) || is_written(id))
		return;
	n = &table[id];
	n->written = period;
	n->next = 0;
	if (newest)
		table[newest].next = (uint32_t)id;
	else
		wanted = (uint32_t)id;
	newest = (uint32_t)id;
}

static bool is_named(uint8_t kind)
{
	return kind == EV_LAUNCH || kind == EV_OPERATOR || kind == EV_PREPARE || kind == EV_COLLECTIVE || kind == EV_MARKER;
}

void needed_learn(const uint8_t *bytes, size_t size)
{
	struct definition d;

	for (size_t at = 0; at < size; at += padded(&d)) {
		const uint8_t *body = bytes + at + sizeof(d);

		memcpy(&d, bytes + at, sizeof(d));
		if (d.type == DEF_HOOK)
			names[(uint16_t)d.id] = is_named(((const struct def_hook *)body)->kind);
		else if (d.type == DEF_POOL)
			want(((const struct def_pool *)body)->domain);
	}
}

bool needed_look(void)
{
	const void *bytes;
	size_t n;

	while ((n = definitions_read(LOG_NAMED, &read_to, &bytes))) {
		uint64_t first = (uint64_t)read_to.segment * DEFINITIONS_SEGMENT + read_to.offset - n;
		struct definition d;

		for (size_t at = 0; at < n; at += padded(&d)) {
			memcpy(&d, (const uint8_t *)bytes + at, sizeof(d));
			if (!make_room(d.id))
				return false;
			*(d.type == DEF_SHAPES || d.type == DEF_GRAPH ? &table[d.id].beside : &table[d.id].at) = (uint32_t)((first + at) / 8) + 1;
		}
	}
	return true;
}

void needed_by_kind(uint16_t hook, uint64_t key, uint64_t arg)
{
	if (names[hook == CTRL_DEVICE ? DEVICE_REF_HOOK(arg) : hook])
		want(key);
	if (hook == CTRL_STACK) {
		want(key);
		want(STACK_NATIVE(arg));
	}
}

void needed_by(const struct event *slots, size_t n)
{
	for (size_t i = 0; i < n; i++)
		needed_by_kind(slots[i].hook, slots[i].key, slots[i].arg);
}

static const struct definition *definition_at(uint32_t eighths)
{
	uint64_t at = (uint64_t)(eighths - 1) * 8;

	return definitions_at(LOG_NAMED, (unsigned int)(at / DEFINITIONS_SEGMENT), at % DEFINITIONS_SEGMENT);
}

/* What the definition itself names is wanted, too. */
static void follow(const struct definition *d)
{
	const void *body = d + 1;

	if (d->type == DEF_LAUNCH) {
		want(((const struct def_launch *)body)->name);
	} else if (d->type == DEF_MARKER) {
		want(((const struct def_marker *)body)->message);
		want(((const struct def_marker *)body)->domain);
	} else if (d->type == DEF_GRAPH) {
		const struct def_graph *graph = body;
		const struct def_graph_kernel *kernels = (const void *)(graph + 1);

		for (uint32_t i = 0; i < graph->names; i++)
			want(kernels[i].name);
	} else if (d->type == DEF_STACK) {
		const struct def_stack *stack = body;
		const struct def_frame *frames = (const void *)(stack + 1);

		for (uint32_t i = 0; i < stack->frames; i++)
			want(frames[i].of);
	}
}

size_t needed_take(uint8_t *to, size_t size)
{
	size_t done = 0;

	while (wanted) {
		const struct named *n = &table[wanted];
		const struct definition *d = n->at ? definition_at(n->at) : NULL, *beside = n->beside ? definition_at(n->beside) : NULL;
		size_t length = d ? padded(d) : 0, before = beside ? padded(beside) : 0;

		if (done + before + length > size)
			break;
		if (beside) {
			memcpy(to + done, beside, before);
			follow(beside);
		}
		if (d) {
			memcpy(to + done + before, d, length);
			follow(d);
		}
		done += before + length;
		wanted = table[wanted].next; /* it may have moved, or become one to be followed */
		newest = wanted ? newest : 0;
	}
	return done;
}

void needed_anew(void)
{
	period++;
	wanted = newest = 0;
}

void needed_forget(void)
{
	room = 0; /* left alone: the parent may have been about to move it */
	wanted = newest = 0;
	period = 1;
	read_to = (struct definitions_place){ 0 };
}
