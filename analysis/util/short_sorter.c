#include "analysis/util/short_sorter.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"

void short_sorter_init(struct short_sorter *s, size_t item_size, void (*emit)(void *context, const void *item), void *context)
{
	*s = (struct short_sorter){
		.item_size = item_size,
		.times = alloc_zero(2 * SHORT_SORTER, sizeof(*s->times)),
		.items = alloc_zero(2 * SHORT_SORTER, item_size),
		.emit = emit,
		.context = context,
	};
}

uint64_t short_sorter_insert(struct short_sorter *s, uint64_t time)
{
	uint64_t place = s->last - 1;

	for (; place != s->first && *short_sorter_time(s, place - 1) > time; place--) {
		*short_sorter_time(s, place) = *short_sorter_time(s, place - 1);
		memcpy(short_sorter_item(s, place), short_sorter_item(s, place - 1), s->item_size);
	}
	*short_sorter_time(s, place) = time;
	return place;
}

void short_sorter_flush(struct short_sorter *s)
{
	while (s->first != s->last)
		s->emit(s->context, short_sorter_item(s, s->first++));
}

void short_sorter_free(struct short_sorter *s)
{
	free(s->times);
	free(s->items);
	*s = (struct short_sorter){ 0 };
}
