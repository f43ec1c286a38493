#include "hooks/ascend/aclnn/shapes.h"
#include <string.h>
#include "hooks/ascend/aclnn/tensor_types.h"
#include "hooks/capture/interned_names.h"
#include "hooks/capture/operator_shapes.h"

void shapes_set_key(uint64_t key)
{
	struct given *g = given_mine();

	if (g && !given_in_phase(g, __builtin_frame_address(0)))
		g->key = key;
}

/* ---- tensors ---- */

/* What is behind the dimensions is not looked at. */
ALWAYS_INLINE void keep(struct made_tensor *m, const int64_t *dims, uint64_t count, uint64_t kind)
{
	static const int64_t unknown[SHAPES_DIMENSIONS];
	const int64_t *from = LIKELY(dims) ? dims : unknown;
	unsigned int n = count < SHAPES_DIMENSIONS ? (unsigned int)count : SHAPES_DIMENSIONS, i;
	uint64_t hash = operator_shapes_more(0, kind, count);

	m->kind = kind;
	m->count = count;
	for (i = 0; i + 1 < n; i += 2) {
		m->dimension[i] = from[i];
		m->dimension[i + 1] = from[i + 1];
		hash = operator_shapes_more(hash, (uint64_t)from[i], (uint64_t)from[i + 1]);
	}
	if (i < n) {
		m->dimension[i] = from[i];
		hash = operator_shapes_more(hash, (uint64_t)from[i], 0);
	}
	m->hash = hash;
}

/* Where it stands among those not given to anybody yet; count: nowhere. */
ALWAYS_INLINE unsigned int place_of(const struct given *g, const void *tensor)
{
	const struct made_tensor *m = g->made;
	unsigned int i;

	for (i = 0; i < g->count && m->tensor != tensor; i++)
		m++;
	return i;
}

ALWAYS_INLINE void add(struct given *g, const void *tensor, const int64_t *dims, uint64_t count, uint64_t kind)
{
	unsigned int i = place_of(g, tensor);
	struct made_tensor *m = &g->made[i];

	if (UNLIKELY(i == SHAPES_TENSORS)) {
		g->left_out++;
		return;
	}
	if (i == g->count)
		g->count++;
	g->order[i] = (uint8_t)i;
	m->tensor = tensor;
	m->list = NULL;
	keep(m, dims, count, kind);
}

/* A thread's first, or a phase's own. */
static NOINLINE void tensor_unusually(const aclTensor *tensor, const int64_t *dims, uint64_t count, uint64_t kind)
{
	struct given *g = given_mine();

	if (g && !given_in_phase(g, __builtin_frame_address(0)))
		add(g, tensor, dims, count, kind);
}

void shapes_tensor(const aclTensor *tensor, const int64_t *dims, uint64_t count, uint64_t kind)
{
	struct given *g = given_known();

	if (LIKELY(g && !g->phase))
		add(g, tensor, dims, count, kind);
	else
		tensor_unusually(tensor, dims, count, kind);
}

/* They stand as they were made. */
static void remove_at(struct given *g, unsigned int i)
{
	unsigned int after = --g->count - i;

	memmove(&g->made[i], &g->made[i + 1], after * sizeof(*g->made));
}

void shapes_end_tensor(const aclTensor *tensor)
{
	struct given *g = given_known();
	unsigned int i;

	if (!g || !g->count || given_in_phase(g, __builtin_frame_address(0)))
		return;
	i = place_of(g, tensor);
	if (i < g->count)
		remove_at(g, i);
}

void shapes_list(const aclTensorList *list, const aclTensor *const *tensors, uint64_t count)
{
	struct given *g = given_known();

	if (!g || given_in_phase(g, __builtin_frame_address(0)))
		return;
	for (uint64_t k = 0; tensors && k < count; k++) {
		unsigned int i = place_of(g, tensors[k]);

		if (i < g->count)
			g->made[i].list = list;
	}
}

void shapes_end_list(const aclTensorList *list)
{
	struct given *g = given_known();

	if (!g || given_in_phase(g, __builtin_frame_address(0)))
		return;
	for (unsigned int i = g->count; i-- > 0;)
		if (g->made[i].list == list)
			remove_at(g, i);
}

/* ---- their order ---- */

/* To this place, before those that stand between. */
static void move_to(struct given *g, unsigned int to, unsigned int from)
{
	uint8_t which = g->order[from];

	memmove(&g->order[to + 1], &g->order[to], from - to);
	g->order[to] = which;
}

/* Those from `next` on that this argument is, or has in it, come next: where the others begin. */
static unsigned int take(struct given *g, unsigned int next, const void *argument)
{
	for (unsigned int i = next; i < g->count; i++) {
		const struct made_tensor *m = &g->made[g->order[i]];

		if (m->tensor != argument && m->list != argument)
			continue;
		if (i > next)
			move_to(g, next, i);
		next++;
	}
	return next;
}

static void arrange(struct given *g, const struct arguments *a, size_t count)
{
	unsigned int next = 0;

	for (size_t i = 0; i < count && next < g->count; i++) {
		const void *argument = (const void *)(uintptr_t)arguments_at(a, i);

		if (LIKELY(g->made[g->order[next]].tensor == argument))
			next++;
		else if (argument)
			next = take(g, next, argument);
	}
}

/* ---- what they are called in the trace ---- */

static size_t describe(uint8_t *to, const struct made_tensor *m)
{
	uint64_t n = m->count < SHAPES_DIMENSIONS ? m->count : SHAPES_DIMENSIONS, more = m->count - n;
	struct def_tensor d = {
		.type = tensor_type(GIVEN_TYPE(m->kind)),
		.format = tensor_format(GIVEN_FORMAT(m->kind)),
		.dimensions = (uint8_t)n,
		.left_out = (uint8_t)(more < UINT8_MAX ? more : UINT8_MAX),
	};

	memcpy(d.dimension, m->dimension, n * sizeof(*d.dimension));
	memcpy(to, &d, DEF_TENSOR_BYTES(n));
	return DEF_TENSOR_BYTES(n);
}

static NOINLINE uint64_t define(uint64_t key, uint64_t name, const struct given *g)
{
	struct def_shapes shapes = { g->count, g->left_out };
	uint8_t bytes[SHAPES_TENSORS * sizeof(struct def_tensor)];
	size_t size = 0;

	for (unsigned int i = 0; i < g->count; i++)
		size += describe(bytes + size, &g->made[g->order[i]]);
	return operator_shapes_define(key, name, &shapes, bytes, size);
}

uint64_t shapes_launch(struct given *g, uint64_t name, const struct arguments *a, size_t count)
{
	uint64_t hash = 0, key, known;

	if (!g || !g->count)
		return launch_id(name, 0, NULL, NULL);
	arrange(g, a, count);
	for (unsigned int i = 0; i < g->count; i++)
		hash = operator_shapes_join(hash, i, g->made[g->order[i]].hash);
	key = operator_shapes_key(name, (struct def_shapes){ g->count, g->left_out }, hash);
	known = operator_shapes_known(key);
	return LIKELY(known) ? known : define(key, name, g);
}
