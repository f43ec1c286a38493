#include "analysis/util/key_values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

static uint32_t hash(const char *key)
{
	uint32_t h = 5381;

	for (; *key; key++)
		h = h * 33 + (unsigned char)*key;
	return h;
}

static struct key_value *find(const struct key_values *f, const char *key)
{
	uint32_t wanted = hash(key);

	for (size_t i = 0; i < f->count; i++) {
		if (f->list[i].hash == wanted && !strcmp(f->list[i].key, key))
			return &f->list[i];
	}
	return NULL;
}

static void append(struct key_values *f, const char *key, const char *value)
{
	if (f->count == KEY_VALUES_MAX)
		return;
	if (f->count == f->capacity) {
		f->capacity = f->capacity ? 2 * f->capacity : 32;
		f->list = alloc_grow(f->list, f->capacity, sizeof(*f->list));
	}
	f->list[f->count++] = (struct key_value){ hash(key), alloc_text(key, strlen(key)),
						  alloc_text(value, strlen(value)) };
}

void key_values_set(struct key_values *f, const char *key, const char *value)
{
	struct key_value *known = find(f, key);

	if (!known) {
		append(f, key, value);
		return;
	}
	free(known->value);
	known->value = alloc_text(value, strlen(value));
}

void key_values_add(struct key_values *f, const char *key, const char *value)
{
	for (size_t i = 0; i < f->count; i++) {
		if (!strcmp(f->list[i].key, key) && !strcmp(f->list[i].value, value))
			return;
	}
	append(f, key, value);
}

static void parse_line(struct key_values *f, char *line)
{
	char *value = strchr(line, '=');

	if (!value || value == line)
		return;
	*value++ = '\0';
	if (!*value && key_values_get(f, line))
		return; /* not known yet is no news */
	if (!strcmp(line, "library"))
		key_values_add(f, line, value);
	else
		key_values_set(f, line, value);
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
	const struct key_value *known = find(f, key);

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
	*f = (struct key_values){ 0 };
}
