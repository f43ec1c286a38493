#include "analysis/util/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "analysis/util/alloc.h"

uint64_t table_multiplier(void)
{
	static uint64_t number;

	if (!number && getrandom(&number, sizeof(number), 0) != sizeof(number))
		number = 0x9e3779b97f4a7c15ull;
	return number |= 1;
}

uint64_t table_text_key(const char *text, size_t size)
{
	uint64_t key = 5381;

	for (size_t i = 0; i < size; i++)
		key = (key + (unsigned char)text[i]) * table_multiplier();
	return key ^ key >> 32;
}

/* Neighbouring keys stay together in eights: they are asked for one after the other. Addresses, all of them multiples of eight, do not. */
static size_t place(const struct table *t, uint64_t key)
{
	return (size_t)((key >> 3) * t->multiplier >> t->shift ^ (key & 7));
}

/* The hash slot that holds the key, or the free one where it belongs. */
static inline uint32_t *slot_of(const struct table *t, uint64_t key)
{
	size_t i = place(t, key);

	while (t->slots[i] && t->keys[t->slots[i] - 1] != key)
		i = (i + 1) & (t->slot_count - 1);
	return &t->slots[i];
}

static void rehash(struct table *t, size_t slot_count)
{
	free(t->slots);
	t->slots = alloc_zero(slot_count, sizeof(*t->slots));
	t->slot_count = slot_count;
	t->multiplier = table_multiplier();
	t->shift = 64 - (unsigned int)__builtin_ctzll(slot_count);
	for (size_t i = 0; i < t->count; i++) {
		if (t->keys[i] >= TABLE_NEAR)
			*slot_of(t, t->keys[i]) = (uint32_t)i + 1;
	}
}

void *table_find_far(const struct table *t, uint64_t key)
{
	uint32_t number = t->slot_count ? *slot_of(t, key) : 0;

	return number ? table_item(t, number - 1) : NULL;
}

static uint32_t *near_place(struct table *t, uint64_t key)
{
	size_t count = t->near_count ? t->near_count : 16;

	if (key >= t->near_count) {
		while (count <= key)
			count *= 2;
		t->near = alloc_grow(t->near, count, sizeof(*t->near));
		memset(t->near + t->near_count, 0, (count - t->near_count) * sizeof(*t->near));
		t->near_count = count;
	}
	return &t->near[key];
}

static uint32_t *far_place(struct table *t, uint64_t key)
{
	if (2 * ++t->far_count > t->slot_count)
		rehash(t, t->slot_count ? 2 * t->slot_count : 16);
	return slot_of(t, key);
}

void *table_add(struct table *t, uint64_t key)
{
	uint32_t *place = key < TABLE_NEAR ? near_place(t, key) : far_place(t, key);

	if (t->count == t->capacity) {
		t->capacity = t->capacity ? 2 * t->capacity : 8;
		t->items = alloc_grow(t->items, t->capacity, t->item_size);
		t->keys = alloc_grow(t->keys, t->capacity, sizeof(*t->keys));
	}
	t->keys[t->count] = key;
	*place = (uint32_t)++t->count;
	return memset(table_item(t, t->count - 1), 0, t->item_size);
}

void *table_hand_over(struct table *t, size_t *count, int (*order)(const void *, const void *))
{
	void *items = t->items;

	*count = t->count;
	t->items = NULL;
	if (*count)
		qsort(items, *count, t->item_size, order);
	table_free(t);
	return items;
}

void table_free(struct table *t)
{
	free(t->items);
	free(t->keys);
	free(t->near);
	free(t->slots);
	*t = (struct table){ .item_size = t->item_size };
}
