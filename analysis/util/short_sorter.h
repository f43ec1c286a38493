/*
 * short_sorter.h - puts items that arrive in order, but for a few that are a little late, into order: sorter.h is for those that arrive as
 * several such rows, and keep each other waiting. It holds SHORT_SORTER items, and emits the first in time whenever there are more.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SHORT_SORTER 128 /* a power of two */

struct short_sorter {
	size_t item_size;
	uint64_t first, last; /* count up for ever: places of the items that wait */
	uint64_t *times;      /* by place, of twice as many */
	uint8_t *items;
	void (*emit)(void *context, const void *item);
	void *context;
};

void short_sorter_init(struct short_sorter *s, size_t item_size, void (*emit)(void *context, const void *item), void *context);
void short_sorter_flush(struct short_sorter *s);
void short_sorter_free(struct short_sorter *s);

/* Makes room before the last ones, which are later: the place of the item. */
uint64_t short_sorter_insert(struct short_sorter *s, uint64_t time);

static inline void *short_sorter_item(const struct short_sorter *s, uint64_t place)
{
	return s->items + (place & (2 * SHORT_SORTER - 1)) * s->item_size;
}

static inline uint64_t *short_sorter_time(const struct short_sorter *s, uint64_t place)
{
	return &s->times[place & (2 * SHORT_SORTER - 1)];
}

/* Where the item is to be written; then short_sorter_placed(). Of equal times the first to come is the first. */
static inline void *short_sorter_place(struct short_sorter *s, uint64_t time)
{
	uint64_t place = s->last++;

	*short_sorter_time(s, place) = time;
	if (place != s->first && *short_sorter_time(s, place - 1) > time)
		place = short_sorter_insert(s, time);
	return short_sorter_item(s, place);
}

static inline void short_sorter_placed(struct short_sorter *s)
{
	if (s->last - s->first > SHORT_SORTER)
		s->emit(s->context, short_sorter_item(s, s->first++));
}
