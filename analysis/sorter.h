/* sorter.h - puts items that arrive nearly in order into order, in memory of a fixed size. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define SORTER_WINDOW 131072

struct sorter_key {
	uint64_t time, tie; /* smaller first */
	uint64_t number;    /* of arrival: equal items keep their order */
	uint32_t item;
};

struct sorter {
	size_t item_size, window, count;
	struct sorter_key *heap;
	uint8_t *items;
	uint64_t arrived;
	void (*emit)(void *context, const void *item);
	void *context;
};

/* emit gets at most `window` items at a time sorted: all of them, if there are no more. */
void sorter_init(struct sorter *s, size_t item_size, size_t window,
		 void (*emit)(void *context, const void *item), void *context);
void sorter_push(struct sorter *s, uint64_t time, uint64_t tie, const void *item);

/* Emits what is still inside. */
void sorter_flush(struct sorter *s);
void sorter_free(struct sorter *s);
