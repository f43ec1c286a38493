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

static struct fact *find(const struct facts *f, const char *key)
{
	uint32_t wanted = hash(key);

	for (size_t i = 0; i < f->count; i++) {
		if (f->list[i].hash == wanted && !strcmp(f->list[i].key, key))
			return &f->list[i];
	}
	return NULL;
}

static void append(struct facts *f, const char *key, const char *value)
{
	if (f->count == FACTS_MAX)
		return;
	if (f->count == f->capacity) {
		f->capacity = f->capacity ? 2 * f->capacity : 32;
		f->list = memory_grow(f->list, f->capacity, sizeof(*f->list));
	}
	f->list[f->count++] = (struct fact){ hash(key), memory_text(key, strlen(key)),
					     memory_text(value, strlen(value)) };
}

void facts_set(struct facts *f, const char *key, const char *value)
{
	struct fact *known = find(f, key);

	if (!known) {
		append(f, key, value);
		return;
	}
	free(known->value);
	known->value = memory_text(value, strlen(value));
}

void facts_add(struct facts *f, const char *key, const char *value)
{
	for (size_t i = 0; i < f->count; i++) {
		if (!strcmp(f->list[i].key, key) && !strcmp(f->list[i].value, value))
			return;
	}
	append(f, key, value);
}

static void parse_line(struct facts *f, char *line)
{
	char *value = strchr(line, '=');

	if (!value || value == line)
		return;
	*value++ = '\0';
	if (!*value && facts_get(f, line))
		return; /* not known yet is no news */
	if (!strcmp(line, "library"))
		facts_add(f, line, value);
	else
		facts_set(f, line, value);
}

void facts_parse(struct facts *f, const void *text, size_t size)
{
	char *copy = memory_text(text, size), *rest = NULL;

	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		parse_line(f, line);
	free(copy);
}

const char *facts_get(const struct facts *f, const char *key)
{
	const struct fact *known = find(f, key);

	return known ? known->value : NULL;
}

uint64_t facts_number(const struct facts *f, const char *key, uint64_t otherwise)
{
	const char *text = facts_get(f, key);
	char *end;
	uint64_t n;

	if (!text || !*text)
		return otherwise;
	errno = 0;
	n = strtoull(text, &end, 10);
	return *end || errno ? otherwise : n;
}

void facts_free(struct facts *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->list[i].key);
		free(f->list[i].value);
	}
	free(f->list);
	*f = (struct facts){ 0 };
}
