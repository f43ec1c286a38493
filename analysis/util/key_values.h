/* key_values.h - `key=value` lines of the text chunks, in order of first appearance. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define KEY_VALUES_MAX	 65536	     /* more are counted, not kept ... */
#define KEY_VALUES_BYTES (16u << 20) /* ... nor is what is more than so much text */

struct key_value {
	char *key, *value;
};

struct key_values {
	size_t count, capacity;
	struct key_value *list;
	size_t bytes;	 /* of their texts */
	size_t left_out; /* lines that found no room */
	struct key_slot *slots;
	size_t slot_count; /* a power of two, more than twice those in use */
	size_t slots_used;
};

/* Later values win, but for `library`, which may repeat. */
void key_values_parse(struct key_values *f, const void *text, size_t size);
void key_values_set(struct key_values *f, const char *key, const char *value);
void key_values_add(struct key_values *f, const char *key, const char *value); /* once a value */

const char *key_values_get(const struct key_values *f, const char *key); /* NULL: absent */
uint64_t key_values_number(const struct key_values *f, const char *key, uint64_t otherwise);
void key_values_free(struct key_values *f);

/* Packed, or opened. */
struct parcel;
void key_values_parcel(struct parcel *p, struct key_values *f);
