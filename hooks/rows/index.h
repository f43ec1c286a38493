/*
 * index.h - rows by name. Found in tables made of the rows at the first look-up, without libc: that may come from inside a
 * sanitizer's own start, before any constructor.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "agent/base/attributes.h"

/* How names of rows begin, by a hash of their first three letters: 0 where none has them. */
#define INDEX_BEGINNINGS 1024
struct index_beginnings {
	_Atomic bool built;
	_Atomic uint32_t place[INDEX_BEGINNINGS];
};
extern struct index_beginnings index_beginnings OURS;

BARE ALWAYS_INLINE unsigned int index_place(const char *name)
{
	uint32_t h = (unsigned char)name[0] << 16;

	if (name[0] && name[1])
		h |= (uint32_t)((unsigned char)name[1] << 8 | (unsigned char)name[2]);
	return h * 0x9E3779B1u / (UINT32_MAX / INDEX_BEGINNINGS + 1);
}

/* Could it be the name of a row, or one that a pattern fits? Most names of other worlds are told by three letters. */
bool index_compare(const char *name);

BARE ALWAYS_INLINE bool index_may_have(const char *name)
{
	if (!name)
		return false;
	if (LIKELY(atomic_load_explicit(&index_beginnings.built, memory_order_acquire)) &&
	    LIKELY(!atomic_load_explicit(&index_beginnings.place[index_place(name)], memory_order_relaxed)))
		return false;
	return index_compare(name);
}

/* Number of the row with this name, or -1. */
int index_find(const char *name);

/* Number of the HOOK_ANY row whose pattern fits, or -1. In patterns * is any text, [A-Z] one letter of this range. */
int index_fit(const char *name);
