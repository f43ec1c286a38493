/*
 * hash.h - for tables of ours: FNV-1a of 64 bits, with its offset basis and prime as published by its authors (draft-eastlake-fnv), and one of whole
 * words, with a multiplier of MurmurHash3's finalizer.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define HASH_BEGIN 0xCBF29CE484222325ull

static inline uint64_t hash_byte(uint64_t hash, uint8_t byte)
{
	return (hash ^ byte) * 0x100000001B3ull;
}

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = hash_byte(hash, ((const uint8_t *)bytes)[i]);
	return hash;
}

/* Without its NUL. */
static inline uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = hash_byte(hash, (uint8_t)*text);
	return hash;
}

static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0xff51afd7ed558ccdull;
	return hash ^ hash >> 32;
}
