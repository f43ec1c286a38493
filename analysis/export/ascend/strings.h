/* strings.h - texts by number: STRING_IDS. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "analysis/util/table.h"

struct strings {
	struct table by_address; /* int64_t number + 1, by where a text stood: most come again from there */
	struct table by_hash;	 /* the same */
	size_t count, capacity;
	char **list;
};

void strings_init(struct strings *s);

/* The text stays where it is, and as it is. */
int64_t strings_id(struct strings *s, const char *text);

/* A text that does not. */
int64_t strings_copy(struct strings *s, const char *text);
void strings_free(struct strings *s);
