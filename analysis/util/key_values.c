#include "analysis/util/key_values.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"
#include "analysis/util/parcel.h"
#include "analysis/util/table.h"

/* ---- finding them: by key, and those that may repeat by key and value, too ---- */

struct key_slot {
	uint64_t hash;
	size_t number; /* of the item + 1; 0: free */
};

/* By a number that whoever made the file does not know. value NULL: by the key alone. */
static uint64_t hash_of(const char *key, const char *value)
{
	uint64_t h = 5381;

	for (; *key; key++)
		h = (h + (unsigned char)*key) * table_multiplier();
	for (; value && *value; value++)
		h = (h + 256 + (unsigned char)*value) * table_multiplier();
	return h ^ h >> 32;
}

static bool is_it(const struct key_values *f, const struct key_slot *slot, uint64_t hash, const char *key, const char *value)
{
	const struct key_value *known = &f->list[slot->number - 1];

	return slot->hash == hash && !strcmp(known->key, key) && (!value || !strcmp(known->value, value));
}

/* The slot that holds it, or the free one where it belongs. */
static struct key_slot *slot_of(const struct key_values *f, const char *key, const char *value)
{
	uint64_t hash = hash_of(key, value);
	size_t i = hash & (f->slot_count - 1);

	while (f->slots[i].number && !is_it(f, &f->slots[i], hash, key, value))
		i = (i + 1) & (f->slot_count - 1);
	return &f->slots[i];
}

static struct key_value *find(const struct key_values *f, const char *key, const char *value)
{
	size_t number = f->slot_count ? slot_of(f, key, value)->number : 0;

	return number ? &f->list[number - 1] : NULL;
}

static void put_slot(struct key_values *f, uint64_t hash, size_t number)
{
	size_t i = hash & (f->slot_count - 1);

	while (f->slots[i].number)
		i = (i + 1) & (f->slot_count - 1);
	f->slots[i] = (struct key_slot){ hash, number };
}

/* Room for two more. */
static void grow_slots(struct key_values *f)
{
	struct key_slot *old = f->slots;
	size_t count = f->slot_count;

	if (2 * (f->slots_used + 2) < count)
		return;
	f->slot_count = count ? 2 * count : 64;
	f->slots = alloc_zero(f->slot_count, sizeof(*f->slots));
	for (size_t i = 0; i < count; i++)
		if (old[i].number)
			put_slot(f, old[i].hash, old[i].number);
	free(old);
}

/* ---- keeping them ---- */

static bool has_room(const struct key_values *f, size_t bytes)
{
	return f->count < KEY_VALUES_MAX && f->bytes + bytes <= KEY_VALUES_BYTES;
}

static bool append(struct key_values *f, const char *key, const char *value)
{
	size_t bytes = strlen(key) + strlen(value);

	if (!has_room(f, bytes)) {
		f->left_out++;
		return false;
	}
	if (f->count == f->capacity) {
		f->capacity = f->capacity ? 2 * f->capacity : 32;
		f->list = alloc_grow(f->list, f->capacity, sizeof(*f->list));
	}
	f->list[f->count++] = (struct key_value){ alloc_text(key, strlen(key)), alloc_text(value, strlen(value)) };
	f->bytes += bytes;
	grow_slots(f);
	return true;
}

/* The last item is found by this. */
static void index_last(struct key_values *f, const char *key, const char *value)
{
	put_slot(f, hash_of(key, value), f->count);
	f->slots_used++;
}

static void replace(struct key_values *f, struct key_value *known, const char *value)
{
	size_t before = strlen(known->value), bytes = strlen(value);

	if (f->bytes - before + bytes > KEY_VALUES_BYTES) {
		f->left_out++;
		return;
	}
	f->bytes += bytes - before;
	free(known->value);
	known->value = alloc_text(value, bytes);
}

void key_values_set(struct key_values *f, const char *key, const char *value)
{
	struct key_value *known = find(f, key, NULL);

	if (known)
		replace(f, known, value);
	else if (append(f, key, value))
		index_last(f, key, NULL);
}

void key_values_add(struct key_values *f, const char *key, const char *value)
{
	bool first = !find(f, key, NULL);

	if (find(f, key, value) || !append(f, key, value))
		return;
	index_last(f, key, value);
	if (first)
		index_last(f, key, NULL);
}

static void put_value(struct key_values *f, const char *key, const char *value)
{
	if (!strcmp(key, "library"))
		key_values_add(f, key, value);
	else
		key_values_set(f, key, value);
}

static void parse_line(struct key_values *f, char *line)
{
	char *value = strchr(line, '=');

	if (!value || value == line)
		return;
	*value++ = '\0';
	if (!*value && key_values_get(f, line))
		return; /* not known yet is no news */
	put_value(f, line, value);
}

void key_values_parse(struct key_values *f, const void *text, size_t size)
{
	char *copy = alloc_text(text, size), *rest = NULL;

	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		parse_line(f, line);
	free(copy);
}

const char *key_values_get(const struct key_values *f, const char *key)
{
	const struct key_value *known = find(f, key, NULL);

	return known ? known->value : NULL;
}

uint64_t key_values_number(const struct key_values *f, const char *key, uint64_t otherwise)
{
	const char *text = key_values_get(f, key);
	char *end;
	uint64_t n;

	if (!text || !*text)
		return otherwise;
	errno = 0;
	n = strtoull(text, &end, 10);
	return *end || errno ? otherwise : n;
}

void key_values_free(struct key_values *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->list[i].key);
		free(f->list[i].value);
	}
	free(f->list);
	free(f->slots);
	*f = (struct key_values){ 0 };
}

void key_values_parcel(struct parcel *p, struct key_values *f)
{
	uint64_t count = f->count, left_out = f->left_out;

	PARCEL(p, count);
	for (size_t i = 0; i < count && !p->broken; i++) {
		struct key_value kv = p->opened ? (struct key_value){ 0 } : f->list[i];

		parcel_text(p, &kv.key);
		parcel_text(p, &kv.value);
		if (!p->opened)
			continue;
		put_value(f, kv.key, kv.value);
		free(kv.key);
		free(kv.value);
	}
	PARCEL(p, left_out);
	f->left_out = left_out;
}
