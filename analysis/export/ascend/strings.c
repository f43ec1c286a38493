#include "analysis/export/ascend/strings.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/hash.h"
#include "analysis/util/alloc.h"

void strings_init(struct strings *s)
{
	*s = (struct strings){ .by_address = TABLE(int64_t), .by_hash = TABLE(int64_t) };
}

static int64_t add(struct strings *s, const char *text)
{
	if (s->count == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : 256;
		s->list = alloc_grow(s->list, s->capacity, sizeof(*s->list));
	}
	s->list[s->count] = alloc_text(text, strlen(text));
	return (int64_t)++s->count;
}

int64_t strings_copy(struct strings *s, const char *text)
{
	uint64_t hash = hash_text(HASH_BEGIN, text);
	int64_t *number;

	/* Another text of the same hash goes one further. */
	while (*(number = table_put(&s->by_hash, hash)) && strcmp(s->list[*number - 1], text))
		hash++;
	if (!*number)
		*number = add(s, text);
	return *number - 1;
}

int64_t strings_id(struct strings *s, const char *text)
{
	int64_t *number = table_put(&s->by_address, (uintptr_t)text);

	if (!*number)
		*number = strings_copy(s, text) + 1;
	return *number - 1;
}

void strings_free(struct strings *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i]);
	free(s->list);
	table_free(&s->by_address);
	table_free(&s->by_hash);
}
