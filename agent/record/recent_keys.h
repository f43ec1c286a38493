/*
 * recent_keys.h - a lock-free table from keys to numbers that never grows: the newest keys of a set push the oldest out. For what
 * may come in any number over a program's life, and is soon forgotten.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"

#define RECENT_WAYS 8
#define RECENT_SETS 2048

struct recent_keys {
	struct recent_set {
		struct recent_way {
			_Alignas(16) _Atomic uint64_t key; /* 0: free, 1: being written */
			_Atomic uint64_t value;
		} way[RECENT_WAYS];
		_Atomic uint32_t next;	    /* the way that goes next */
		_Atomic uint32_t elsewhere; /* a key has been put where it is not looked for first */
	} set[RECENT_SETS];
	_Atomic bool forgetful; /* a key has been pushed out: one that is not there may have been */
};

/* One key of two words. Never 0 or 1. */
ALWAYS_INLINE uint64_t recent_keys_of(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b * 0xD6E8FEB86659FD93ull) * 0x9E3779B97F4A7C15ull;

	return (h ^ h >> 32) | 2;
}

/* 0: it is not there. */
uint64_t recent_keys_get(struct recent_keys *r, uint64_t key);
void recent_keys_put(struct recent_keys *r, uint64_t key, uint64_t value);

/* The same, unless the value is 0: it could not be had, and is asked for again. Returns it. */
static inline uint64_t recent_keys_keep(struct recent_keys *r, uint64_t key, uint64_t value)
{
	if (value)
		recent_keys_put(r, key, value);
	return value;
}

/* What it was; 0: it was not there. Of two who drop it one is told. */
uint64_t recent_keys_drop(struct recent_keys *r, uint64_t key);
