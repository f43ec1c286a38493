#include "analysis/export/perfetto/interned.h"

#include <stdlib.h>

#include "analysis/export/perfetto/fields.h"
#include "analysis/util/alloc.h"
#include "analysis/util/table.h"

/* Names come out of a program: places are chosen by a factor that it does not know. */
static uint64_t hash_of(const char *text, size_t *length)
{
	static uint64_t factor;
	uint64_t h = 0, piece;
	size_t n = strlen(text);

	if (!factor)
		factor = table_multiplier();
	*length = n;
	for (; n >= 8; n -= 8, text += 8) {
		memcpy(&piece, text, 8);
		h = (h ^ piece) * factor;
		h ^= h >> 32;
	}
	piece = n;
	memcpy(&piece, text, n);
	h = (h ^ piece ^ (uint64_t)n << 56) * factor;
	return h ^ h >> 32;
}

static struct interned_text *place_of(const struct interned *t, uint64_t hash, const char *text)
{
	size_t i = (size_t)hash & (t->size - 1);

	while (t->list[i].number && (t->list[i].hash != hash || strcmp(t->list[i].text, text)))
		i = (i + 1) & (t->size - 1);
	return &t->list[i];
}

static void grow(struct interned *t)
{
	struct interned old = *t;

	t->size = old.size ? 2 * old.size : 256;
	t->list = alloc_zero(t->size, sizeof(*t->list));
	for (size_t i = 0; i < old.size; i++) {
		if (old.list[i].number)
			*place_of(t, old.list[i].hash, old.list[i].text) = old.list[i];
	}
	free(old.list);
	memset(t->addresses, 0, sizeof(t->addresses));
}

static void put_entry(struct bytes *packet, uint32_t sort, uint32_t number, const char *text)
{
	struct bytes entry = { 0 };

	bytes_number(&entry, ENTRY_NUMBER, number);
	bytes_text(&entry, ENTRY_TEXT, text);
	bytes_message(packet, sort, &entry);
	bytes_free(&entry);
}

static uint32_t remember(struct interned *t, const char *text, const struct interned_text *found)
{
	size_t i = ((uintptr_t)text ^ (uintptr_t)text >> 10) & (INTERNED_MEMOS - 1);

	t->addresses[i] = text;
	t->memos[i] = found;
	return found->number;
}

uint32_t interned_find(struct interned *t, const char *text, struct bytes *packet, uint32_t sort)
{
	size_t length;
	uint64_t hash = hash_of(text, &length);
	struct interned_text *found;

	if (2 * (t->count + 1) > t->size)
		grow(t);
	found = place_of(t, hash, text);
	if (found->number)
		return remember(t, text, found);
	*found = (struct interned_text){ hash, alloc_text(text, length), (uint32_t)++t->count };
	t->bytes += length;
	put_entry(packet, sort, found->number, text);
	return remember(t, text, found);
}

void interned_free(struct interned *t)
{
	for (size_t i = 0; i < t->size; i++)
		free(t->list[i].text);
	free(t->list);
	*t = (struct interned){ .stays = t->stays };
}
