/* option.c - the table made from options.def, and looking things up in it. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config/option.h"
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

int refuse(char *why, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, size, format, args);
	va_end(args);
	for (; *why; why++)
		if ((unsigned char)*why < ' ' || *why == 0x7f)
			*why = '?';
	return -EINVAL;
}

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

#define WORD_MAX 32

/* Levenshtein: how many letters to put in, take out or change. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[WORD_MAX + 1], n = strlen(b), left, corner, best;

	for (unsigned int j = 0; j <= n; j++)
		row[j] = j;
	for (unsigned int i = 0; a[i]; i++) {
		corner = row[0];
		row[0] = left = i + 1;
		for (unsigned int j = 1; j <= n; j++) {
			best = corner + (a[i] != b[j - 1]);
			best = best < left + 1 ? best : left + 1;
			best = best < row[j] + 1 ? best : row[j] + 1;
			corner = row[j];
			row[j] = left = best;
		}
	}
	return row[n];
}

const char *word_nearest(const char *word, const char *const *list)
{
	const char *nearest = NULL;
	unsigned int length = strlen(word), least = length / 3 + 2, d;

	if (length > WORD_MAX)
		return NULL;
	for (; *list; list++) {
		d = distance(word, *list);
		if (d < least && d < strlen(*list)) {
			nearest = *list;
			least = d;
		}
	}
	return nearest;
}
