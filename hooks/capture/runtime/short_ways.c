#include "hooks/capture/runtime/short_ways.h"

static void write_event(const struct launch *l, int32_t rc, uint64_t begin, uint64_t ticks, uint16_t stream, uint64_t key)
{
	struct producer *p = &producer;
	struct call c = { .result = rc, .slot = ticks, .word = p->word };

	if (!p->word)
		return; /* this is a forked child now */
	c.event = (struct event){ begin, ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX, (uint16_t)l->names, stream, key, 0 };
	atomic_store_explicit(&p->ring->call_hook, 0, memory_order_relaxed);
	ring_write_event(&c);
}

void short_way_failed(const struct short_ways *of, struct launch *l, int32_t rc, uint64_t begin, uint64_t ticks)
{
	write_event(l, rc, begin, ticks, 0, kernels_launch_refused(of->kernels, (const void *)(uintptr_t)l->function));
}

static void resize(struct launch *l, uint64_t key, dim3 grid, dim3 block, size_t shared)
{
	launch_cache_resize(l, key, 3, (size_t[]){ grid.x, grid.y, grid.z }, (size_t[]){ block.x, block.y, block.z });
	l->shared = (uint32_t)shared;
	if (shared > UINT32_MAX && kernels_tell_shared())
		l->stamp = 0;
}

static uint16_t number_of(const struct short_ways *of, void *stream)
{
	return streams_number(of->streams, stream, of->streams->calls->last_special, true);
}

/* It was on another stream, or of other sizes, or neither. */
static void differs(const struct short_ways *of, struct launch *l, const struct short_call *made, bool same_stream, bool same_sizes)
{
	uint16_t number = same_stream ? (uint16_t)(l->names >> 16) : number_of(of, made->stream);
	uint64_t key = kernels_launch(of->kernels, (const void *)(uintptr_t)l->function, made->grid, made->block, made->shared);

	write_event(l, 0, made->begin, made->ticks, number, key);
	if (same_stream && !same_sizes && launch_unlike(l))
		resize(l, key, made->grid, made->block, made->shared);
}

void short_way_differs(const struct short_ways *of, struct launch *l, const struct short_call *made)
{
	uint64_t handle = (uintptr_t)made->stream;
	bool same_sizes = short_way_sizes_are(l, made->grid, made->block), same_stream = l->queue == handle;

	if (!same_stream && kernels_tell_shared()) {
		same_sizes = same_sizes && l->shared == made->shared;
		same_stream = l->queue == ~handle;
		if (same_stream && same_sizes && short_way_end(l, made->begin, made->ticks))
			return;
	}
	differs(of, l, made, same_stream, same_sizes);
}

/* The default stream of a thread, or of one of several contexts, may be another one at the next call. */
static bool is_steady(const struct streams *of, void *stream)
{
	return (uintptr_t)stream > of->calls->last_special || ((uintptr_t)stream <= DEFAULT_STREAM && !atomic_load(&of->several));
}

static void learn(const struct short_ways *of, const struct learnt *made, uint64_t now)
{
	const struct handle_slot *known = handles_peek(&of->kernels->table, (uintptr_t)made->function);
	struct launch *l = launch_cache_place(producer.launches, (uintptr_t)made->function);

	if (!known)
		return;
	if ((uint32_t)gate_load() & GATE_CLOCK)
		now = (now & ~1ull) | !!(atomic_load_explicit(&known->a, memory_order_relaxed) & KERNEL_MATCHES);
	*l = (struct launch){ .stamp = now,
			      .function = (uintptr_t)made->function,
			      .queue = kernels_tell_shared() ? ~(uintptr_t)made->stream : (uintptr_t)made->stream,
			      .real = made->real,
			      .names = made->hook | (uint32_t)number_of(of, made->stream) << 16 };
	resize(l, kernels_launch(of->kernels, made->function, made->grid, made->block, made->shared), made->grid, made->block, made->shared);
}

void short_way_learn(const struct short_ways *of, const struct learnt *made)
{
	if (producer.ready != gate_load() || !is_steady(of->streams, made->stream) || captures_any(of->streams))
		return;
	record_turn(&producer, EV_LAUNCH); /* the table is being written */
	learn(of, made, made->now);
	record_turn_back(&producer);
}
