#include "analysis/why/subjects.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/hash.h"
#include "analysis/util/alloc.h"

const char *const why_words[WHY_KINDS] = {
#define KIND(symbol, word) word,
#include "analysis/why/kinds.def"
#undef KIND
};

void subjects_init(struct subjects *s)
{
	s->list = TABLE(struct subject);
	s->pairs = TABLE(uint32_t);
}

static uint64_t key_of(enum why_kind kind, const char *name, const char *detail)
{
	uint64_t hash = hash_byte(HASH_BEGIN, (uint8_t)kind);

	hash = hash_byte(hash_text(hash, name), 0);
	return hash_text(hash, detail) | TABLE_NEAR; /* none is near: keys have nothing to do with how many there are */
}

uint32_t subjects_number(struct subjects *s, enum why_kind kind, const char *name, const char *detail)
{
	uint64_t key = key_of(kind, name, detail);
	const struct subject *known = table_find(&s->list, key);
	struct subject *made;
	uint32_t family, number;

	if (known)
		return (uint32_t)(known - (const struct subject *)s->list.items);
	family = *detail ? subjects_number(s, kind, name, "") : (uint32_t)s->list.count;
	number = (uint32_t)s->list.count;
	made = table_add(&s->list, key);
	*made = (struct subject){ kind, alloc_text(name, strlen(name)), alloc_text(detail, strlen(detail)), family };
	return number;
}

static const char *name_of(const struct subjects *s, uint32_t number)
{
	return number == NO_SUBJECT ? "" : subjects_get(s, number)->name;
}

uint32_t subjects_between(struct subjects *s, enum why_kind kind, uint32_t before, uint32_t behind)
{
	uint64_t pair = ((uint64_t)before << 32 | behind) * 0x9E3779B97F4A7C15u ^ (uint64_t)kind << 60;
	uint32_t *known = table_put(&s->pairs, pair | TABLE_NEAR);

	if (!*known)
		*known = subjects_number(s, kind, name_of(s, before), name_of(s, behind)) + 1;
	return *known - 1;
}

void subjects_free(struct subjects *s)
{
	for (size_t i = 0; i < s->list.count; i++) {
		struct subject *one = table_item(&s->list, i);

		free(one->name);
		free(one->detail);
	}
	table_free(&s->list);
	table_free(&s->pairs);
}
