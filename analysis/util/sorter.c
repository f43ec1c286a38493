/*
 * sorter.c - what arrives nearly in order makes few runs, and to find the smallest first item of a few
 * runs is quick: a ring's events are one run, or some more if calls lie inside others.
 */
#include "analysis/util/sorter.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

#define NONE UINT32_MAX

void sorter_init(struct sorter *s, size_t item_size, size_t window,
		 void (*emit)(void *context, const void *item), void *context)
{
	*s = (struct sorter){
		.item_size = item_size,
		.window = window,
		.free = NONE,
		.emit = emit,
		.context = context,
	};
	s->items = alloc_grow(NULL, window, item_size);
	s->nodes = alloc_grow(NULL, window, sizeof(*s->nodes));
	s->runs = alloc_grow(NULL, 2 * window, sizeof(*s->runs));
	s->heap = alloc_grow(NULL, window, sizeof(*s->heap));
}

static inline bool before(const struct sorter_key *a, const struct sorter_key *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return a->tie != b->tie ? a->tie < b->tie : a->number < b->number;
}

static inline void *item_at(struct sorter *s, uint32_t number)
{
	return s->items + number * s->item_size;
}

/* ---- the heap of runs ---- */

static inline const struct sorter_key *first_key(const struct sorter *s, uint32_t run)
{
	return &s->nodes[s->runs[run].first].key;
}

static void sink(struct sorter *s, size_t at, uint32_t run)
{
	const struct sorter_key *key = first_key(s, run);
	size_t child;

	while ((child = 2 * at + 1) < s->heap_count) {
		if (child + 1 < s->heap_count &&
		    before(first_key(s, s->heap[child + 1]), first_key(s, s->heap[child])))
			child++;
		if (!before(first_key(s, s->heap[child]), key))
			break;
		s->heap[at] = s->heap[child];
		at = child;
	}
	s->heap[at] = run;
}

static void rise(struct sorter *s, size_t at, uint32_t run)
{
	const struct sorter_key *key = first_key(s, run);

	for (; at && before(key, first_key(s, s->heap[(at - 1) / 2])); at = (at - 1) / 2)
		s->heap[at] = s->heap[(at - 1) / 2];
	s->heap[at] = run;
}

static void emit_first(struct sorter *s)
{
	struct sorter_run *run = &s->runs[s->heap[0]];
	uint32_t node = run->first;

	s->emit(s->context, item_at(s, node));
	run->first = s->nodes[node].next;
	s->nodes[node].next = s->free;
	s->free = node;
	s->count--;
	if (run->first != NONE)
		sink(s, 0, s->heap[0]);
	else if (--s->heap_count)
		sink(s, 0, s->heap[s->heap_count]);
}

/* ---- runs ---- */

/* Leaves the empty ones out. */
static void tidy(struct sorter *s)
{
	size_t kept = 0;

	s->heap_count = 0;
	for (size_t i = 0; i < s->run_count; i++) {
		if (s->runs[i].first == NONE)
			continue;
		s->runs[kept] = s->runs[i];
		rise(s, s->heap_count++, (uint32_t)kept++);
	}
	s->run_count = kept;
}

/* A run at the end of the list: its last key is smaller than all others'. */
static uint32_t new_run(struct sorter *s)
{
	if (s->run_count && s->runs[s->run_count - 1].first == NONE)
		return (uint32_t)s->run_count - 1;
	if (s->run_count == 2 * s->window)
		tidy(s);
	s->runs[s->run_count].first = NONE;
	return (uint32_t)s->run_count++;
}

/* The first run that the item may be appended to: so the list stays in order. */
static uint32_t run_for(struct sorter *s, const struct sorter_key *key)
{
	size_t low = 0, high = s->run_count;

	if (high && !before(key, &s->runs[0].last_key))
		return 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (before(key, &s->runs[middle].last_key))
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->run_count ? (uint32_t)low : new_run(s);
}

static uint32_t new_node(struct sorter *s)
{
	uint32_t node = s->free;

	if (node == NONE)
		return (uint32_t)s->count++;
	s->free = s->nodes[node].next;
	s->count++;
	return node;
}

void sorter_push(struct sorter *s, uint64_t time, uint64_t tie, const void *item)
{
	struct sorter_key key = { .time = time, .tie = tie, .number = s->arrived++ };
	uint32_t node, at;
	struct sorter_run *run;

	if (s->count == s->window) {
		if (before(&key, first_key(s, s->heap[0]))) {
			s->emit(s->context, item);
			return;
		}
		emit_first(s);
	}
	node = new_node(s);
	s->nodes[node] = (struct sorter_node){ .key = key, .next = NONE };
	memcpy(item_at(s, node), item, s->item_size);
	at = run_for(s, &key);
	run = &s->runs[at];
	run->last_key = key;
	if (run->first != NONE) {
		s->nodes[run->last].next = node;
		run->last = node;
		return;
	}
	run->first = run->last = node;
	rise(s, s->heap_count++, at);
}

void sorter_flush(struct sorter *s)
{
	while (s->count)
		emit_first(s);
	s->run_count = 0;
}

void sorter_free(struct sorter *s)
{
	free(s->items);
	free(s->nodes);
	free(s->runs);
	free(s->heap);
	*s = (struct sorter){ 0 };
}
