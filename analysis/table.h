/* table.h - items of one size found by a 64-bit number; they keep their order of arrival. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct table {
	size_t item_size;
	size_t count, capacity;
	uint8_t *items;	   /* moves when it grows: keep numbers, not pointers, while filling */
	uint64_t *keys;	   /* of the items */
	uint32_t *slots;   /* hash: item number + 1; 0: free */
	size_t slot_count; /* a power of two */
	uint64_t multiplier;
	unsigned int shift;
};

#define TABLE(type) ((struct table){ .item_size = sizeof(type) })

void *table_find(const struct table *t, uint64_t key);

/* The item of this key; a new one is zero. */
void *table_put(struct table *t, uint64_t key);

static inline void *table_item(const struct table *t, size_t number)
{
	return t->items + number * t->item_size;
}

void table_free(struct table *t);
