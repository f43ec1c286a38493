/* key_values.h - `key=value` lines of the text chunks, in order of first appearance. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define KEY_VALUES_MAX 4096 /* more are not kept */

struct key_value {
	uint32_t hash; /* of the key */
	char *key, *value;
};

struct key_values {
	size_t count, capacity;
	struct key_value *list;
};

/* Later values win, but for `library`, which may repeat. */
void key_values_parse(struct key_values *f, const void *text, size_t size);
void key_values_set(struct key_values *f, const char *key, const char *value);
void key_values_add(struct key_values *f, const char *key, const char *value); /* once a value */

const char *key_values_get(const struct key_values *f, const char *key); /* NULL: absent */
uint64_t key_values_number(const struct key_values *f, const char *key, uint64_t otherwise);
void key_values_free(struct key_values *f);
