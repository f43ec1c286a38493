/* table.h - items of one size found by a 64-bit number; they keep their order of arrival. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct table {
	size_t item_size;
	size_t count, capacity;
	uint8_t *items; /* moves when it grows: keep numbers, not pointers, while filling */
	uint64_t *keys; /* of the items */
	uint32_t *near; /* item number + 1 by key, of keys below near_count; 0: none */
	size_t near_count;
	uint32_t *slots;   /* the same by hash, of keys from TABLE_NEAR on */
	size_t slot_count; /* a power of two */
	size_t far_count;  /* keys in there */
	uint64_t multiplier;
	unsigned int shift;
};

#define TABLE(type) ((struct table){ .item_size = sizeof(type) })

#define TABLE_NEAR  65536 /* most numbers are small: these are found without a search */

static inline void *table_item(const struct table *t, size_t number)
{
	return t->items + number * t->item_size;
}

void *table_find_far(const struct table *t, uint64_t key);

/* NULL: there is none. */
static inline void *table_find(const struct table *t, uint64_t key)
{
	if (key >= TABLE_NEAR)
		return table_find_far(t, key);
	return key < t->near_count && t->near[key] ? table_item(t, t->near[key] - 1) : NULL;
}

void *table_add(struct table *t, uint64_t key);

/* The item of this key; a new one is zero. */
static inline void *table_put(struct table *t, uint64_t key)
{
	void *item = table_find(t, key);

	return item ? item : table_add(t, key);
}

/* The items in that order, as a plain array that the caller frees; the table is empty then. */
void *table_hand_over(struct table *t, size_t *count, int (*order)(const void *, const void *));
void table_free(struct table *t);

/* Odd and unknown to whoever made the file: keys that all fall on one place would take for ever. */
uint64_t table_multiplier(void);

/* A text as a key: of two texts it may be the same, if hardly ever. */
uint64_t table_text_key(const char *text, size_t size);
