#include "config/option.h"
#include <stdio.h>
#include <string.h>
#include "config/base/printable.h"
#include "config/base/refuse.h"
#include "config/base/words.h"
#include "config/option_words.h"

#define SIZE_OF(key) sizeof(((struct config *)0)->key)

const struct option_row options[OPTIONS] = {
#define OPTION(key, type, initial, metavar, help)                                       \
	{ OPTION_##key, #key, &type_##type, offsetof(struct config, key), SIZE_OF(key), \
	  initial, metavar, help },
#include "config/options.def"
};

const bool option_elsewhere[OPTIONS] = {
#define ELSEWHERE(key) [OPTION_##key] = true,
#include "config/options.def"
};

const struct option_spelling option_spellings[OPTION_SPELLINGS + 1] = {
#define SPELLING(key, other) { OPTION_##key, #other },
#include "config/options.def"
	{ OPTIONS, NULL }
};

int option_set(struct config *c, enum option_id id, const char *text, char *why, size_t size)
{
	const struct option_row *o = &options[id];
	size_t length;

	for (const char *p = text; *p; p += length) {
		uint32_t code;

		if (unprintable(p))
			return refuse(why, size, "control characters are not allowed: remove it");
		length = utf8_read(p, &code);
		length += !length;
	}
	return o->type->set(o, (char *)c + o->offset, text, why, size);
}

void option_text(const struct config *c, enum option_id id, char *text, size_t size)
{
	options[id].type->text((const char *)c + options[id].offset, text, size);
}

void option_values(enum option_id id, char *text, size_t size)
{
	const struct option_type *type = options[id].type;
	const char *own[OPTION_WORDS + 1];

	if (type->values)
		snprintf(text, size, "%s", type->values);
	else
		words_join(text, size, type->usages ? type->usages : option_choice(id, own), "`", " or ");
}

enum option_id option_find(const char *key)
{
	for (unsigned int id = 0; id < OPTIONS; id++)
		if (!strcmp(options[id].key, key))
			return id;
	for (const struct option_spelling *s = option_spellings; s->key; s++)
		if (!strcmp(s->key, key))
			return s->id;
	return OPTIONS;
}

static void option_name(const char *prefix, const char *key, char name[OPTION_NAME], char (*letter)(char))
{
	char *end = name + OPTION_NAME - 1;

	while (*prefix && name < end)
		*name++ = *prefix++;
	while (*key && name < end)
		*name++ = letter(*key++);
	*name = '\0';
}

static char of_variable(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static char of_flag(char c)
{
	return c == '_' ? '-' : c;
}

void option_variable(const char *key, char name[OPTION_NAME])
{
	option_name("RANKTRACE_", key, name, of_variable);
}

void option_flag(const char *key, char name[OPTION_NAME])
{
	option_name("--", key, name, of_flag);
}
