/* types.c - how each type of options.def is read from text and printed back. */
#include "config/types.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "config/base/number.h"
#include "config/base/refuse.h"
#include "config/base/words.h"
#include "config/contents.h"
#include "config/option_words.h"
#include "config/preset.h"
#include "config/role_choice.h"
#include "config/step_source/place_source.h"
#include "config/step_source/step_source.h"

#define BETWEEN ", \t" /* the items of a list */

static const char *const bools[] = { "true", "false", NULL };

static int bool_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	static const char *const words[] = { "false", "true", "no", "yes", "off", "on", "0", "1" };

	(void)o;
	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcasecmp(text, words[i])) {
			*(bool *)field = i & 1;
			return 0;
		}
	}
	return refuse(why, size, "'%.64s' is neither true nor false: write true or false", text);
}

static void bool_text(const void *field, char *text, size_t size)
{
	snprintf(text, size, "%s", *(const bool *)field ? "true" : "false");
}

static int path_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	bool in_home = *text == '~' && (!text[1] || text[1] == '/');
	const char *home = in_home ? getenv("HOME") : NULL;

	if (in_home && (!home || !*home))
		return refuse(why, size, "'%.64s' is in the home folder, and HOME is not set: write an absolute path", text);
	text += home ? 1 : 0;
	if ((home ? strlen(home) : 0) + strlen(text) >= o->size)
		return refuse(why, size, "longer than %zu bytes: write a shorter one", o->size - 1);
	snprintf(field, o->size, "%s%s", home ? home : "", text);
	return 0;
}

static void plain_text(const void *field, char *text, size_t size)
{
	snprintf(text, size, "%s", (const char *)field);
}

static int name_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

	if (text[strspn(text, letters)] || *text == '.')
		return refuse(why, size,
			      "'%.64s' is not a name: write letters, digits, '.', '_' and '-', no '.' in front",
			      text);
	return path_set(o, field, text, why, size);
}

static int step_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	const char *p = text;
	int64_t n = -1;

	(void)o;
	if (strcmp(text, "-1") && (!number_read(&p, &n) || *p))
		return refuse(why, size, "'%.64s' is not a step: write a number from 0 to 2^53, "
					 "or -1 for unset",
			      text);
	*(int64_t *)field = n;
	return 0;
}

static void step_text(const void *field, char *text, size_t size)
{
	snprintf(text, size, "%lld", (long long)*(const int64_t *)field);
}

/* Returns which of the words it is, or -1. */
static int word_number(const char *text, const char *const *words, int count)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(text, words[i]))
			return i;
	return -1;
}

static const char *const levels[] = { "level_none", "level0", "level1", "level2", NULL };

static int level_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	int n = word_number(text, levels, 4);

	(void)o;
	if (n < 0)
		return refuse(why, size, "'%.64s' is not a level: write level_none, level0, level1 or level2", text);
	*(int *)field = n + LEVEL_NONE;
	return 0;
}

static void level_text(const void *field, char *text, size_t size)
{
	snprintf(text, size, "%s", levels[*(const int *)field - LEVEL_NONE]);
}

/* Others put a name in front: of "their-text" the word "text", or NULL. */
static const char *word_at_end(const char *text, const char *const *list)
{
	const char *end = strrchr(text, '-');

	while (end && *list && strcmp(end + 1, *list))
		list++;
	return end ? *list : NULL;
}

static int word_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	int word = option_word_find(o->id, text);
	const char *list[OPTION_WORDS + 1], *near;
	char all[256];

	if (word < 0) {
		option_words(o->id, list);
		words_join(all, sizeof(all), list, "", " or ");
		near = word_at_end(text, list);
		if (text[strcspn(text, BETWEEN)])
			return refuse(why, size, "'%.64s' is more than one word: write one of %s", text, all);
		return refuse(why, size, "'%.64s' is unknown: write %s", text, near ? near : all);
	}
	*(int *)field = word;
	return 0;
}

static void word_text(const void *field, char *text, size_t size)
{
	snprintf(text, size, "%s", option_word(*(const int *)field));
}

static int contents_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	(void)o;
	return contents_read(text, field, why, size);
}

static void contents_print(const void *field, char *text, size_t size)
{
	contents_text(*(const unsigned int *)field, text, size);
}

static int numbers_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	struct selection *s = field;
	int err = selection_read(s, text, why, size);

	if (!err && s->unknown && o && o->id != OPTION_ranks)
		err = refuse(why, size, "'unknown' is a word for ranks: write numbers, ranges like 5-9, or all");
	return err;
}

static void numbers_text(const void *field, char *text, size_t size)
{
	selection_text(field, text, size);
}

static int sources_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	struct step_source_spec specs[STEP_SOURCES];
	unsigned int count;
	int err;

	err = step_source_parse(text, specs, &count, why, size);
	return err ? err : path_set(o, field, text, why, size);
}

static int places_set(const struct option_row *o, void *field, enum python_of of, const char *text, char *why, size_t size)
{
	struct python_function list[PLACE_SOURCES];
	unsigned int count;
	int err;

	err = place_source_parse(text, of, list, &count, why, size);
	return err ? err : path_set(o, field, text, why, size);
}

static int stages_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	return places_set(o, field, PYTHON_STAGE, text, why, size);
}

static int batches_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	return places_set(o, field, PYTHON_MICRO, text, why, size);
}

static int next_steps_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	return places_set(o, field, PYTHON_NUMBER, text, why, size);
}

static int preset_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	char right[1024];

	if (preset_find(text))
		return path_set(o, field, text, why, size);
	if (!preset_near(text, right, sizeof(right)))
		words_join(right, sizeof(right), preset_words, "", " or ");
	return refuse(why, size, "'%.64s' is no preset: write %s", text, right);
}

static int size_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	static const char units[] = "kKmMgG";
	const char *p = text, *unit;
	int64_t n;

	(void)o;
	if (!number_read(&p, &n) || n == 0)
		goto bad;
	unit = *p ? strchr(units, *p) : NULL;
	for (int i = unit ? (unit - units) / 2 : -1; i >= 0; i--) {
		if (n > NUMBER_MAX >> 10)
			goto bad;
		n <<= 10;
	}
	if (p[unit != NULL])
		goto bad;
	*(uint64_t *)field = n;
	return 0;
bad:
	return refuse(why, size, "'%.64s' is not a size: write bytes from 1 to 2^53, or like 64M, 2G",
		      text);
}

static void size_text(const void *field, char *text, size_t size)
{
	snprintf(text, size, "%llu", (unsigned long long)*(const uint64_t *)field);
}

static int memory_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	uint64_t n;
	int err = size_set(o, &n, text, why, size);

	(void)o;
	if (err)
		return err;
	if (n < SHM_SIZE_MIN)
		return refuse(why, size, "'%.64s' is too small for buffers: write %uM or "
					 "more",
			      text, SHM_SIZE_MIN >> 20);
	*(uint64_t *)field = n;
	return 0;
}

static int digit_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	(void)o;
	if (text[0] < '0' || text[0] > '9' || text[1])
		return refuse(why, size,
			      "'%.64s' is not a log level: write a digit, 0 for one line a cause", text);
	*(int *)field = text[0] - '0';
	return 0;
}

static const char *const digits[] = { "0", "1", "2", NULL }; /* higher ones say no more */

static void digit_text(const void *field, char *text, size_t size)
{
	snprintf(text, size, "%d", *(const int *)field);
}

static int count_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	const char *p = text;
	int64_t n;

	(void)o;
	if (!number_read(&p, &n) || *p || n == 0)
		return refuse(why, size, "'%.64s' is not a count: write a number from 1 to 2^53", text);
	*(uint64_t *)field = (uint64_t)n;
	return 0;
}

static int schedule_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	(void)o;
	return schedule_read(field, text, why, size);
}

static void schedule_print(const void *field, char *text, size_t size)
{
	schedule_text(field, text, size);
}

#define ROLES_BYTES 4096 /* printed again it is not twice as long */

static int roles_set(const struct option_row *o, void *field, const char *text, char *why, size_t size)
{
	(void)o;
	if (strlen(text) >= ROLES_BYTES)
		return refuse(why, size, "longer than %d bytes: write a shorter one", ROLES_BYTES - 1);
	return role_choices_read(field, text, why, size);
}

static void roles_print(const void *field, char *text, size_t size)
{
	role_choices_text(field, text, size);
}

/* What the table of options knows of each. */
#define TYPE(name, ...) const struct option_type type_##name = { __VA_ARGS__ };

TYPE(BOOL, .set = bool_set, .text = bool_text, .words = bools)
TYPE(PATH, .set = path_set, .text = plain_text, .values = "a directory")
TYPE(NUMBERS, .set = numbers_set, .text = numbers_text, .list = true, .empty = true,
     .values = "numbers, ranges `5-9` or `5-`, `all` (or -1), `none`, commas or blanks between; an empty list: none")
TYPE(STEP, .set = step_set, .text = step_text, .values = "a number", .unset = "-1")
TYPE(LEVEL, .set = level_set, .text = level_text, .words = levels)
TYPE(CONTENTS, .set = contents_set, .text = contents_print, .list = true, .empty = true,
     .values = "`cpu`, `device`, `memory`, `shapes`, `module`, `stack`, commas or blanks between", .words = contents_words)
TYPE(SOURCES, .set = sources_set, .text = plain_text, .list = true, .semicolons = true, .usages = step_source_usages)
TYPE(PRESET, .set = preset_set, .text = plain_text, .words = preset_words)
TYPE(STAGES, .set = stages_set, .text = plain_text, .list = true, .semicolons = true, .usages = stage_source_usages)
TYPE(BATCHES, .set = batches_set, .text = plain_text, .list = true, .semicolons = true, .usages = place_source_usages)
TYPE(NEXTSTEP, .set = next_steps_set, .text = plain_text, .list = true, .semicolons = true, .usages = place_source_usages)
TYPE(SIZE, .set = size_set, .text = size_text, .values = "bytes, or with K, M, G behind")
TYPE(MEMORY, .set = memory_set, .text = size_text, .values = "bytes, or with K, M, G behind; 4M at least")
TYPE(NAME, .set = name_set, .text = plain_text, .values = "letters, digits, `.`, `_`, `-`")
TYPE(REASON, .set = path_set, .text = plain_text, .values = "a line")
TYPE(WORD, .set = word_set, .text = word_text)
TYPE(DIGIT, .set = digit_set, .text = digit_text, .values = "a digit", .words = digits)
#define NAME_OF(name) ", `" #name "`"
TYPE(SCHEDULE, .set = schedule_set, .text = schedule_print, .map = true,
     .values = "`counter=` step, mini or micro" SCHEDULE_FIELDS(NAME_OF) ", each `=` a number, commas or blanks between")
TYPE(ROLES, .set = roles_set, .text = roles_print, .list = true, .semicolons = true, .maps = true,
     .values = "roles, semicolons between; behind each, in braces, `enable`, `all_ranks`, `ranks`, `replica_ranks`, `level`, `contents`, "
	       "`discrete`, `schedule`, `analysis`, each `=` what the option of that name may say, blanks in place of its commas")
TYPE(COUNT, .set = count_set, .text = size_text, .values = "a number, 1 or more")
