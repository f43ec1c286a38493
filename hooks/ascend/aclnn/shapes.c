#include "hooks/ascend/aclnn/shapes.h"
#include <string.h>
#include "agent/record/record.h"
#include "agent/session/session.h"
#include "hooks/ascend/aclnn/tensor_types.h"
#include "hooks/capture/operator_shapes.h"

#define THREADS 4096 /* that make tensors at a time; those beyond have no shapes */

/* What a thread has made and given to no operator yet. */
struct given {
	_Atomic uint32_t generation; /* of the session that the thread belongs to; 0: nobody's */
	uint32_t count, left_out;
	const void *phase; /* frame of the phase that it is in; NULL: none */
	uint64_t key;
	const void *tensors[SHAPES_TENSORS], *lists[SHAPES_TENSORS];
	struct def_tensor described[SHAPES_TENSORS];
};

static struct given threads[THREADS];

/* ---- a thread's own ---- */

void shapes_thread_ends(void)
{
	if (!producer.guest)
		return;
	atomic_store(&threads[producer.guest - 1].generation, 0);
	producer.guest = 0;
}

static bool claim(struct given *g)
{
	uint32_t whose = atomic_load(&g->generation);

	if (whose == session_generation || !atomic_compare_exchange_strong(&g->generation, &whose, session_generation))
		return false;
	g->count = g->left_out = 0;
	g->phase = NULL;
	g->key = 0;
	return true;
}

/* A forked child's is not its parent's. */
static struct given *known(void)
{
	struct given *g = producer.guest ? &threads[producer.guest - 1] : NULL;

	return g && atomic_load_explicit(&g->generation, memory_order_relaxed) == session_generation ? g : NULL;
}

static struct given *mine(void)
{
	struct given *g = known();

	if (LIKELY(g))
		return g;
	for (unsigned int i = 0; i < THREADS; i++)
		if (claim(&threads[i])) {
			producer.guest = (uint16_t)(i + 1);
			producer_notice_end();
			return &threads[i];
		}
	session_beyond(LIMIT_unshaped_operators, 1);
	return NULL;
}

/* Is this thread inside a phase? Not if that was left by a jump. */
static bool in_phase(struct given *g)
{
	if (g->phase && __builtin_frame_address(0) > g->phase)
		g->phase = NULL;
	return g->phase;
}

void shapes_begin(const void *frame)
{
	struct given *g = known();

	if (g && !in_phase(g))
		g->phase = frame;
}

void shapes_end(void)
{
	struct given *g = known();

	if (g)
		g->phase = NULL;
}

void shapes_taken(void)
{
	struct given *g = known();

	if (!g)
		return;
	g->count = g->left_out = 0;
	g->key = 0;
}

void shapes_set_key(uint64_t key)
{
	struct given *g = mine();

	if (g && !in_phase(g))
		g->key = key;
}

uint64_t shapes_key(void)
{
	const struct given *g = known();

	return g ? g->key : 0;
}

/* ---- tensors ---- */

static void describe(struct def_tensor *d, const struct tensor_given *given)
{
	uint64_t n = given->count < SHAPES_DIMENSIONS ? given->count : SHAPES_DIMENSIONS, more = given->count - n;

	d->type = tensor_type(given->type);
	d->format = tensor_format(given->format);
	d->dimensions = (uint8_t)n;
	d->left_out = (uint8_t)(more < UINT8_MAX ? more : UINT8_MAX);
	d->reserved = 0;
	for (uint64_t i = 0; i < n; i++) /* what is behind them is not looked at */
		d->dimension[i] = given->dims ? given->dims[i] : 0;
}

/* Where it stands among those not given to anybody yet; count: nowhere. */
static unsigned int place_of(const struct given *g, const void *tensor)
{
	unsigned int i;

	for (i = 0; i < g->count && g->tensors[i] != tensor; i++)
		;
	return i;
}

void shapes_tensor(const aclTensor *tensor, const struct tensor_given *given)
{
	struct given *g = mine();
	unsigned int i;

	if (!g || in_phase(g))
		return;
	i = place_of(g, tensor);
	if (i == SHAPES_TENSORS) {
		g->left_out++;
		return;
	}
	if (i == g->count)
		g->count++;
	g->tensors[i] = tensor;
	g->lists[i] = NULL;
	describe(&g->described[i], given);
}

static void remove_at(struct given *g, unsigned int i)
{
	unsigned int after = --g->count - i;

	memmove(&g->tensors[i], &g->tensors[i + 1], after * sizeof(*g->tensors));
	memmove(&g->lists[i], &g->lists[i + 1], after * sizeof(*g->lists));
	memmove(&g->described[i], &g->described[i + 1], after * sizeof(*g->described));
}

void shapes_end_tensor(const aclTensor *tensor)
{
	struct given *g = known();
	unsigned int i;

	if (!g || !g->count || in_phase(g))
		return;
	i = place_of(g, tensor);
	if (i < g->count)
		remove_at(g, i);
}

void shapes_list(const aclTensorList *list, const aclTensor *const *tensors, uint64_t count)
{
	struct given *g = known();

	if (!g || in_phase(g))
		return;
	for (uint64_t k = 0; tensors && k < count; k++) {
		unsigned int i = place_of(g, tensors[k]);

		if (i < g->count)
			g->lists[i] = list;
	}
}

void shapes_end_list(const aclTensorList *list)
{
	struct given *g = known();

	if (!g || in_phase(g))
		return;
	for (unsigned int i = g->count; i-- > 0;)
		if (g->lists[i] == list)
			remove_at(g, i);
}

/* ---- their order ---- */

/* To this place, before those that stand between. */
static void move_to(struct given *g, unsigned int to, unsigned int from)
{
	const void *tensor = g->tensors[from], *list = g->lists[from];
	struct def_tensor described = g->described[from];
	unsigned int between = from - to;

	memmove(&g->tensors[to + 1], &g->tensors[to], between * sizeof(*g->tensors));
	memmove(&g->lists[to + 1], &g->lists[to], between * sizeof(*g->lists));
	memmove(&g->described[to + 1], &g->described[to], between * sizeof(*g->described));
	g->tensors[to] = tensor;
	g->lists[to] = list;
	g->described[to] = described;
}

/* Those from `next` on that this argument is, or has in it, come next: where the others begin. */
static unsigned int take(struct given *g, unsigned int next, const void *argument)
{
	for (unsigned int i = next; i < g->count; i++)
		if (g->tensors[i] == argument || g->lists[i] == argument) {
			if (i > next)
				move_to(g, next, i);
			next++;
		}
	return next;
}

void shapes_arrange(const struct arguments *a, size_t count)
{
	struct given *g = known();
	unsigned int next = 0;

	for (size_t i = 0; g && i < count && next < g->count; i++) {
		const void *argument = (const void *)(uintptr_t)arguments_at(a, i);

		if (argument)
			next = take(g, next, argument);
	}
}

/* ---- what they are called in the trace ---- */

uint64_t shapes_launch(uint64_t name)
{
	const struct given *g = known();

	return operator_shapes_launch(name, g ? &(struct operator_shapes){ g->described, g->count, g->left_out } : NULL);
}
