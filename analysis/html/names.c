#include "analysis/html/names.h"

#include <stdlib.h>

#include "analysis/html/blocks.h"
#include "analysis/util/alloc.h"

#define TITLES_MOST    (2u << 20)
#define ARGUMENTS_MOST (3u << 19)
#define KINDS_MOST     65536 /* about 20 bytes each */

static uint64_t hash_of(const char *text, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
	return hash;
}

/* As much as is kept of it, to the end of a character. */
static size_t length_of(const char *text)
{
	size_t length = strnlen(text, NAME_MOST + 1);

	if (length <= NAME_MOST)
		return length;
	for (length = NAME_MOST; length && ((unsigned char)text[length] & 0xc0) == 0x80; length--)
		;
	return length;
}

static uint32_t add(struct texts *t, uint64_t hash, const char *text, size_t length, size_t size)
{
	if (t->count == t->capacity) {
		t->capacity = t->capacity ? 2 * t->capacity : 256;
		t->list = alloc_grow(t->list, t->capacity, sizeof(*t->list));
	}
	t->list[t->count] = alloc_text(text, length);
	t->bytes += size;
	*(uint32_t *)table_put(&t->by_hash, hash) = (uint32_t)t->count;
	return (uint32_t)t->count++;
}

static uint32_t number_of(struct texts *t, const char *text)
{
	size_t length = length_of(text);
	uint64_t hash = hash_of(text, length);
	const uint32_t *found;
	size_t size;

	while ((found = table_find(&t->by_hash, hash))) {
		if (!strncmp(t->list[*found], text, length) && !t->list[*found][length])
			return *found;
		hash++;
	}
	size = block_text_size(text, length) + 1;
	if (t->bytes + size <= t->most)
		return add(t, hash, text, length, size);
	t->over++;
	return 0;
}

void names_init(struct names *n)
{
	*n = (struct names){ .titles = { .by_hash = TABLE(uint32_t), .most = TITLES_MOST }, .arguments = { .by_hash = TABLE(uint32_t), .most = ARGUMENTS_MOST }, .kinds = TABLE(struct kind) };
	number_of(&n->titles, "");
	number_of(&n->arguments, "");
}

uint32_t names_kind(struct names *n, const char *title, const char *category, const char *arguments)
{
	uint32_t numbers[] = { number_of(&n->titles, title), number_of(&n->titles, category), number_of(&n->arguments, arguments) };
	uint64_t key = (uint64_t)numbers[0] << 42 ^ (uint64_t)numbers[1] << 21 ^ numbers[2];
	struct kind *known;

	if (n->kinds.count >= KINDS_MOST && !table_find(&n->kinds, key)) {
		n->arguments.over++;
		memset(numbers, 0, sizeof(numbers));
		key = 0;
	}
	known = table_put(&n->kinds, key);
	known->title = numbers[0];
	known->category = numbers[1];
	known->arguments = numbers[2];
	known->number = (uint32_t)(((const uint8_t *)known - n->kinds.items) / sizeof(*known));
	known->uses++;
	return known->number;
}

static int by_uses(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	return x->uses != y->uses ? (x->uses < y->uses ? 1 : -1) : (x->number > y->number) - (x->number < y->number);
}

/* A copy of all kinds, by place; the caller frees it. */
static struct kind *by_place(const struct names *n)
{
	struct kind *list = alloc_zero(n->kinds.count + 1, sizeof(*list));

	if (n->kinds.count)
		memcpy(list, n->kinds.items, n->kinds.count * sizeof(*list));
	qsort(list, n->kinds.count, sizeof(*list), by_uses);
	return list;
}

void names_order(struct names *n)
{
	struct kind *list = by_place(n);

	for (size_t i = 0; i < n->kinds.count; i++)
		((struct kind *)table_item(&n->kinds, list[i].number))->place = (uint32_t)i;
	free(list);
}

static void free_texts(struct texts *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->list[i]);
	free(t->list);
	table_free(&t->by_hash);
}

void names_free(struct names *n)
{
	free_texts(&n->titles);
	free_texts(&n->arguments);
	table_free(&n->kinds);
}

static void put_texts(struct out *o, const char *name, const struct texts *t)
{
	out_format(o, "\"%s\":[", name);
	for (size_t i = 0; i < t->count; i++) {
		out_json_comma(o, i);
		out_json(o, t->list[i]);
	}
	out_text(o, "],");
}

void names_json(struct out *o, const struct names *n)
{
	struct kind *list = by_place(n);

	put_texts(o, "titles", &n->titles);
	put_texts(o, "arguments", &n->arguments);
	out_text(o, "\"kinds\":[");
	for (size_t i = 0; i < n->kinds.count; i++) {
		out_json_comma(o, i);
		out_format(o, "%u,%u,%u", list[i].title, list[i].category, list[i].arguments);
	}
	out_char(o, ']');
	free(list);
}
