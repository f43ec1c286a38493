/* key_values.h - `key=value` lines of the text chunks, in order of first appearance. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define FACTS_MAX 4096 /* more are not kept */

struct fact {
	uint32_t hash; /* of the key */
	char *key, *value;
};

struct facts {
	size_t count, capacity;
	struct fact *list;
};

/* Later values win, but for `library`, which may repeat. */
void facts_parse(struct facts *f, const void *text, size_t size);
void facts_set(struct facts *f, const char *key, const char *value);
void facts_add(struct facts *f, const char *key, const char *value); /* once a value */

const char *facts_get(const struct facts *f, const char *key); /* NULL: absent */
uint64_t facts_number(const struct facts *f, const char *key, uint64_t otherwise);
void facts_free(struct facts *f);
