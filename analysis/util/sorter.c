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
		.apart = sizeof(struct sorter_node) + (item_size + 7) / 8 * 8,
		.free = NONE,
		.emit = emit,
		.context = context,
	};
	/* One more than stay: it comes in before the first goes out. */
	s->nodes = alloc_grow(NULL, window + 1, s->apart);
	s->runs = alloc_grow(NULL, 2 * (window + 1), sizeof(*s->runs));
	s->heap = alloc_grow(NULL, window + 1, sizeof(*s->heap));
}

/* Numbers start anew, but not among those of a window. */
static inline bool before(const struct sorter_key *a, const struct sorter_key *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return a->tie != b->tie ? a->tie < b->tie : (int32_t)(a->number - b->number) < 0;
}

static inline struct sorter_node *node_at(const struct sorter *s, uint32_t number)
{
	return (struct sorter_node *)(s->nodes + number * s->apart);
}

/* ---- the heap of runs ---- */

static inline const struct sorter_key *first_key(const struct sorter *s, uint32_t run)
{
	return &node_at(s, s->runs[run].first)->key;
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
	uint32_t number = run->first;
	struct sorter_node *node = node_at(s, number);

	s->emit(s->context, node->item);
	run->first = node->key.next;
	node->key.next = s->free;
	s->free = number;
	s->count--;
	if (run->first == NONE)
		s->heap[0] = s->heap[--s->heap_count];
	if (s->heap_count > 1)
		sink(s, 0, s->heap[0]);
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
	if (s->run_count == 2 * (s->window + 1))
		tidy(s);
	s->runs[s->run_count].first = NONE;
	return (uint32_t)s->run_count++;
}

/* The first run that the item may be appended to: so the list stays in order. */
static uint32_t run_for(struct sorter *s, const struct sorter_key *key)
{
	size_t low = 0, high = s->run_count;

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
	s->free = node_at(s, node)->key.next;
	s->count++;
	return node;
}

static __attribute__((noinline)) void append_to_other(struct sorter *s, uint32_t number)
{
	const struct sorter_key key = node_at(s, number)->key;
	uint32_t at = run_for(s, &key);
	struct sorter_run *run = &s->runs[at];

	run->last_key = key;
	if (run->first != NONE) {
		node_at(s, run->last)->key.next = number;
		run->last = number;
		return;
	}
	run->first = run->last = number;
	rise(s, s->heap_count++, at);
}

/* Mostly it is the first run, and not empty. Its key is not read back from where it was just written. */
void *sorter_place(struct sorter *s, uint64_t time, uint64_t tie)
{
	const struct sorter_key key = { .time = time, .tie = tie, .number = s->arrived++, .next = NONE };
	uint32_t number = new_node(s);
	struct sorter_node *node = node_at(s, number);
	struct sorter_run *run = s->runs;

	node->key = key;
	if (!s->run_count || run->first == NONE || before(&key, &run->last_key)) {
		append_to_other(s, number);
		return node->item;
	}
	node_at(s, run->last)->key.next = number;
	run->last = number;
	run->last_key = key;
	return node->item;
}

void sorter_placed(struct sorter *s)
{
	if (s->count > s->window)
		emit_first(s);
}

void sorter_push(struct sorter *s, uint64_t time, uint64_t tie, const void *item)
{
	memcpy(sorter_place(s, time, tie), item, s->item_size);
	sorter_placed(s);
}

void sorter_flush(struct sorter *s)
{
	while (s->count)
		emit_first(s);
	s->run_count = 0;
}

void sorter_free(struct sorter *s)
{
	free(s->nodes);
	free(s->runs);
	free(s->heap);
	*s = (struct sorter){ 0 };
}
