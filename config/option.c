/* option.c - the table made from options.def, and looking things up in it. */
#include "config/option.h"
#include <stdio.h>
#include <string.h>
#include "config/base/refuse.h"
#include "config/base/words.h"
#include "config/types.h"

#define FIELD_SIZE(key) sizeof(((struct config *)0)->key)

const struct option_row options[OPTIONS] = {
#define OPTION(key, type, initial, metavar, help)                            \
	{ #key, &type_##type, offsetof(struct config, key), FIELD_SIZE(key), \
	  initial, metavar, help },
#include "config/options.def"
#undef OPTION
};

static const char *const keys[] = {
#define OPTION(key, type, initial, metavar, help) #key,
#include "config/options.def"
#undef OPTION
	/* Of design.md's native file, but not settings: yaml.c answers them. */
	"discrete", "roles", "export", "analysis", "step", NULL
};

int option_set(struct config *c, enum option_id id, const char *text, char *why, size_t size)
{
	const struct option_row *o = &options[id];

	for (const char *p = text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return refuse(why, size, "a control character cannot stand here: take it out");
	return o->type->set((char *)c + o->offset, o->size, text, why, size);
}

void option_text(const struct config *c, enum option_id id, char *text, size_t size)
{
	options[id].type->text((const char *)c + options[id].offset, text, size);
}

void option_values(enum option_id id, char *text, size_t size)
{
	const struct option_type *type = options[id].type;

	if (type->words)
		words_join(text, size, type->words, "`", " or ");
	else
		snprintf(text, size, "%s", type->values);
}

enum option_id option_find(const char *key)
{
	for (unsigned int id = 0; id < OPTIONS; id++)
		if (!strcmp(options[id].key, key))
			return id;
	return OPTIONS;
}

const char *const *option_keys(void)
{
	return keys;
}

static void option_name(const char *prefix, const char *key, char name[OPTION_NAME], bool upper)
{
	char *end = name + OPTION_NAME - 1;

	while (*prefix && name < end)
		*name++ = *prefix++;
	for (; *key && name < end; key++)
		*name++ = upper ? (*key == '_' ? '_' : *key - 'a' + 'A') : *key == '_' ? '-'
										       : *key;
	*name = '\0';
}

void option_variable(enum option_id id, char name[OPTION_NAME])
{
	option_name("RANKTRACE_", options[id].key, name, true);
}

void option_flag(enum option_id id, char name[OPTION_NAME])
{
	option_name("--", options[id].key, name, false);
}
