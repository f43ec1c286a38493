/* interned.h - texts that come again and again are written once, and called by number from then on. */
#pragma once
#include <stdbool.h>

#include "analysis/export/perfetto/bytes.h"

struct interned_text {
	uint64_t hash;
	char *text;
	uint32_t number; /* 0: the place is free */
};

#define INTERNED_MEMOS 1024

/* Of one sort: each sort has numbers of its own. */
struct interned {
	bool stays;					   /* what is at an address does not change until all is forgotten */
	const struct interned_text *memos[INTERNED_MEMOS]; /* by address */
	const char *addresses[INTERNED_MEMOS];
	struct interned_text *list; /* by hash */
	size_t size, count;	    /* size: a power of two, at least twice the count */
	uint64_t bytes;
};

/* The text's number, from 1. A new one is appended to `packet` as field `sort` of InternedData. */
uint32_t interned_find(struct interned *t, const char *text, struct bytes *packet, uint32_t sort);

/* Most texts were seen before, at the same address. */
static inline uint32_t interned_number(struct interned *t, const char *text, struct bytes *packet, uint32_t sort)
{
	size_t i = ((uintptr_t)text ^ (uintptr_t)text >> 10) & (INTERNED_MEMOS - 1);

	if (t->addresses[i] == text && (t->stays || !strcmp(t->memos[i]->text, text)))
		return t->memos[i]->number;
	return interned_find(t, text, packet, sort);
}

/* Are there so many that they had better be forgotten? */
static inline int interned_is_full(const struct interned *t)
{
	return t->count >= 65536 || t->bytes >= 16u << 20;
}

void interned_free(struct interned *t);
