#include "analysis/sorter.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory.h"

void sorter_init(struct sorter *s, size_t item_size, size_t window,
		 void (*emit)(void *context, const void *item), void *context)
{
	*s = (struct sorter){
		.item_size = item_size,
		.window = window,
		.emit = emit,
		.context = context,
	};
	s->heap = memory_grow(NULL, window, sizeof(*s->heap));
	s->items = memory_grow(NULL, window, item_size);
}

static inline bool before(const struct sorter_key *a, const struct sorter_key *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return a->tie != b->tie ? a->tie < b->tie : a->number < b->number;
}

static void sink(struct sorter *s, struct sorter_key key)
{
	size_t at = 0, child;

	while ((child = 2 * at + 1) < s->count) {
		if (child + 1 < s->count && before(&s->heap[child + 1], &s->heap[child]))
			child++;
		if (!before(&s->heap[child], &key))
			break;
		s->heap[at] = s->heap[child];
		at = child;
	}
	s->heap[at] = key;
}

static void rise(struct sorter *s, size_t at, struct sorter_key key)
{
	for (; at && before(&key, &s->heap[(at - 1) / 2]); at = (at - 1) / 2)
		s->heap[at] = s->heap[(at - 1) / 2];
	s->heap[at] = key;
}

static void *item_at(struct sorter *s, uint32_t number)
{
	return s->items + number * s->item_size;
}

void sorter_push(struct sorter *s, uint64_t time, uint64_t tie, const void *item)
{
	struct sorter_key key = { .time = time, .tie = tie, .number = s->arrived++ };

	if (s->count < s->window) {
		key.item = (uint32_t)s->count;
		memcpy(item_at(s, key.item), item, s->item_size);
		rise(s, s->count++, key);
		return;
	}
	if (before(&key, &s->heap[0])) {
		s->emit(s->context, item);
		return;
	}
	key.item = s->heap[0].item;
	s->emit(s->context, item_at(s, key.item));
	memcpy(item_at(s, key.item), item, s->item_size);
	sink(s, key);
}

void sorter_flush(struct sorter *s)
{
	while (s->count) {
		s->emit(s->context, item_at(s, s->heap[0].item));
		s->count--;
		if (s->count)
			sink(s, s->heap[s->count]);
	}
}

void sorter_free(struct sorter *s)
{
	free(s->heap);
	free(s->items);
	*s = (struct sorter){ 0 };
}
