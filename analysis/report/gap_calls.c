#include "analysis/report/gap_calls.h"

#include <stdlib.h>
#include <string.h>

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

static void move_up(struct gap_thread *t)
{
	t->count -= t->first;
	memmove(t->list, t->list + t->first, t->count * sizeof(*t->list));
	t->first = t->next = t->found = 0;
}

static void make_room(struct gap_thread *t)
{
	if (t->count < t->capacity)
		return;
	if (t->count >= CALLS_MAX && t->first < t->count / 2) {
		t->first = t->count / 2;
		t->forgotten = t->list[t->first - 1].end;
	}
	if (t->count && t->first >= t->count / 2) {
		move_up(t);
		return;
	}
	t->capacity = t->capacity ? 2 * t->capacity : 256;
	t->list = alloc_grow(t->list, t->capacity, sizeof(*t->list));
}

void gap_calls_take(struct gap_calls *c, const struct trace_event *ev)
{
	struct gap_thread *t = thread_of(c, ev->tid, ev->ring);

	/* What was made inside of it has returned before. */
	while (t->count > t->first && t->list[t->count - 1].begin >= ev->begin_ns)
		t->count--;
	make_room(t);
	t->list[t->count++] = (struct gap_call){ ev->begin_ns, ev->begin_ns + ev->duration_ns, ev->slot, ev->name };
}

static bool wrote_before(const struct gap_thread *t, size_t call, uint32_t slot)
{
	return (int32_t)((uint32_t)t->list[call].slot - slot) < 0;
}

/* The first that wrote there, or behind: mostly one of those behind the one that was found last. */
static const struct gap_call *find(struct gap_thread *t, uint32_t slot)
{
	size_t low = t->first, high = t->count;

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
	return low < t->count ? &t->list[low] : NULL;
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

		while (t->first < t->count && t->list[t->first].end <= before)
			t->first++;
	}
}

void gap_calls_free(struct gap_calls *c)
{
	for (size_t i = 0; i < c->threads.count; i++)
		free(((struct gap_thread *)table_item(&c->threads, i))->list);
	table_free(&c->threads);
}
