#include "analysis/report/gap_calls.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"

#define CALLS_MAX (4u << 20) /* of a thread; of a step with more the first ones are forgotten */

static struct gap_thread *thread_of(struct gap_calls *c, uint32_t tid, uint32_t ring)
{
	struct gap_thread *t = c->now < c->threads.count ? table_item(&c->threads, c->now) : NULL;

	if (t && t->ring == ring && t->tid == tid)
		return t;
	t = table_put(&c->threads, (uint64_t)tid << 16 | (ring & UINT16_MAX));
	t->tid = tid;
	t->ring = ring;
	c->now = (size_t)(t - (struct gap_thread *)c->threads.items);
	return t;
}

/* Every second stretch of so many has its place behind what there was. */
static void grow(struct gap_thread *t)
{
	size_t old = t->capacity;

	t->capacity = old ? 2 * old : 256;
	t->list = alloc_grow(t->list, t->capacity, sizeof(*t->list));
	for (size_t i = t->first; i < t->end; i++)
		if (i & old)
			*gap_call_of(t, i) = t->list[i & (old - 1)];
}

static void make_room(struct gap_thread *t)
{
	if (t->capacity < CALLS_MAX) {
		grow(t);
		return;
	}
	t->first += t->capacity / 2;
	t->forgotten = gap_call_of(t, t->first - 1)->end;
}

static inline void take(struct gap_thread *t, const struct trace_event *ev)
{
	if (ev->kind == EV_POOL_ALLOC || ev->kind == EV_POOL_FREE)
		return; /* what an allocator tells takes no time of its own */
	/* What was made inside of it has returned before. */
	while (t->end > t->first && gap_call_of(t, t->end - 1)->begin >= ev->begin_ns)
		t->end--;
	if (t->end - t->first == t->capacity)
		make_room(t);
	*gap_call_of(t, t->end++) = (struct gap_call){ ev->begin_ns, ev->begin_ns + ev->duration_ns, ev->slot, ev->name };
}

void gap_calls_take(struct gap_calls *c, const struct trace_event *list, size_t count)
{
	struct gap_thread *t = thread_of(c, list->tid, list->ring);

	for (size_t i = 0; i < count; i++)
		take(t, &list[i]);
}

static bool wrote_before(const struct gap_thread *t, size_t call, uint32_t slot)
{
	return (int32_t)((uint32_t)gap_call_of(t, call)->slot - slot) < 0;
}

/* The first that wrote there, or behind: mostly one of those behind the one that was found last. */
static const struct gap_call *find(struct gap_thread *t, uint32_t slot)
{
	size_t low = t->first, high = t->end;

	if (t->found > low && t->found < high && wrote_before(t, t->found - 1, slot)) {
		low = t->found;
		for (size_t step = 4; low + step < high; step *= 2) {
			if (!wrote_before(t, low + step, slot)) {
				high = low + step;
				break;
			}
			low += step;
		}
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (wrote_before(t, middle, slot))
			low = middle + 1;
		else
			high = middle;
	}
	t->found = low;
	return low < t->end ? gap_call_of(t, low) : NULL;
}

const struct gap_call *gap_calls_at(const struct gap_calls *c, uint16_t ring, uint32_t slot, const struct gap_thread **thread)
{
	for (size_t i = 0; i < c->threads.count; i++) {
		struct gap_thread *t = table_item(&c->threads, i);
		const struct gap_call *found = (uint16_t)t->ring == ring ? find(t, slot) : NULL;

		*thread = t;
		if (found)
			return found;
	}
	return NULL;
}

void gap_calls_forget(struct gap_calls *c, uint64_t before)
{
	for (size_t i = 0; i < c->threads.count; i++) {
		struct gap_thread *t = table_item(&c->threads, i);

		while (t->first < t->end && gap_call_of(t, t->first)->end <= before)
			t->first++;
	}
}

void gap_calls_free(struct gap_calls *c)
{
	for (size_t i = 0; i < c->threads.count; i++)
		free(((struct gap_thread *)table_item(&c->threads, i))->list);
	table_free(&c->threads);
}
