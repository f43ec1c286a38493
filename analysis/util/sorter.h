/* sorter.h - puts items that arrive nearly in order into order, in memory of a fixed size. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifndef SORTER_WINDOW
#define SORTER_WINDOW 131072
#endif

struct sorter_key {
	uint64_t time, tie; /* smaller first */
	uint32_t number;    /* of arrival: equal items keep their order */
	uint32_t next;	    /* of an item's: the item behind it in its run, or in the list of free ones */
};

struct sorter_node {
	struct sorter_key key;
	_Alignas(8) uint8_t item[];
};

/* Items that arrived in order: a list that grows at its end only. It may be empty, and keeps its last key. */
struct sorter_run {
	struct sorter_key last_key;
	uint32_t first, last;
};

struct sorter {
	size_t item_size, window, count;
	uint8_t *nodes; /* each with its item, */
	size_t apart;	/* so many bytes behind the one before */
	uint32_t free;
	struct sorter_run *runs; /* by last key, greatest first */
	uint32_t *heap;		 /* of the runs that are not empty, by their first items */
	size_t run_count, heap_count;
	uint32_t arrived;
	void (*emit)(void *context, const void *item);
	void *context;
};

/* emit gets at most `window` items at a time sorted: all of them, if there are no more. */
void sorter_init(struct sorter *s, size_t item_size, size_t window,
		 void (*emit)(void *context, const void *item), void *context);
void sorter_push(struct sorter *s, uint64_t time, uint64_t tie, const void *item);

/* The same in two, for who makes the item where it is kept: its place, and when it is there. */
void *sorter_place(struct sorter *s, uint64_t time, uint64_t tie);
void sorter_placed(struct sorter *s);

/* Emits what is still inside. */
void sorter_flush(struct sorter *s);
void sorter_free(struct sorter *s);
