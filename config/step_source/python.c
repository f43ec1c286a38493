#include "config/step_source/python_function.h"
#include <stdio.h>
#include <string.h>
#include "config/base/number.h"
#include "config/base/refuse.h"
#include "config/base/words.h"
#include "config/step_source/python.h"
#include "config/step_source/step_source.h"

/* ---- what stands where ---- */

static bool is_letter(char c)
{
	return c == '_' || (c & 0x80) || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Behind an identifier; where there is none, text itself. */
static const char *behind_name(const char *text)
{
	if (!is_letter(*text))
		return text;
	while (is_letter(*text) || (*text >= '0' && *text <= '9'))
		text++;
	return text;
}

/* Behind names with dots between; with plus, a + may stand behind each but the last. */
static const char *behind_names(const char *text, bool plus)
{
	const char *end = behind_name(text), *dot;

	while (end > text) {
		dot = end + (plus && *end == '+');
		if (*dot != '.' || behind_name(dot + 1) == dot + 1)
			return dot == end ? end : text;
		end = behind_name(dot + 1);
	}
	return text;
}

/* Behind .name or [key], if that stands there; NULL: only its beginning does. */
static const char *behind_part(const char *text)
{
	const char *end = *text == '.' ? behind_name(text + 1) : *text == '[' ? strchr(text, ']')
									      : text;

	if (end == text)
		return text;
	return end && end > text + 1 ? end + (*text == '[') : NULL;
}

/* Behind MODULE:NAME; where there is none, text itself. */
static const char *behind_variable(const char *text)
{
	const char *colon = behind_names(text, false), *end = *colon == ':' ? behind_name(colon + 1) : colon;

	return end > colon + 1 && colon > text ? end : text;
}

/* Behind arg:NAME, attr:self or global:MODULE:NAME; NULL: there is none. */
static const char *behind_root(const char *text)
{
	static const struct {
		const char *word;
		const char *(*behind)(const char *text);
	} roots[] = { { "arg:", behind_name }, { "global:", behind_variable } };
	const char *end;

	if (!strncmp(text, "attr:self", 9))
		return text + 9;
	for (unsigned int i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		size_t length = strlen(roots[i].word);

		if (strncmp(text, roots[i].word, length))
			continue;
		end = roots[i].behind(text + length);
		return end > text + length ? end : NULL;
	}
	return NULL;
}

/* Behind such a value, and the parts that follow; where there is none, text itself. */
static const char *behind_value(const char *text)
{
	const char *next = behind_root(text), *end;

	do {
		end = next;
		next = end ? behind_part(end) : NULL;
	} while (next != end);
	return end ? end : text;
}

static bool take(char *to, size_t room, const char *from, const char *end)
{
	size_t length = (size_t)(end - from);

	if (!length || length >= room)
		return false;
	memcpy(to, from, length);
	to[length] = '\0';
	return true;
}

/* ---- between the braces ---- */

static bool is_word(const char *text, const char *end, const char *word)
{
	return (size_t)(end - text) == strlen(word) && !strncmp(text, word, strlen(word));
}

static bool take_step(struct python_function *f, const char *text, const char *end)
{
	const char *value = behind_value(text), *number = value + 1;
	int64_t n = 0;

	f->number = NUMBER_READ;
	if (!take(f->step, sizeof(f->step), text, value))
		return false;
	if (value == end)
		return true;
	if ((*value != '+' && *value != '-') || !number_read(&number, &n) || number != end)
		return false;
	f->more = *value == '+' ? n : -n;
	return true;
}

static bool take_number(struct python_function *f, enum python_of of, const char *text, const char *end)
{
	if (of == PYTHON_STEP && is_word(text, end, "published"))
		f->number = NUMBER_PUBLISHED;
	else if (of == PYTHON_STEP && is_word(text, end, "counted"))
		f->number = NUMBER_COUNTED;
	else
		return take_step(f, text, end);
	return true;
}

/* Of a number source. */
static bool take_told(struct python_function *f, enum python_tells tells, const char *text, const char *end)
{
	f->number = NUMBER_READ;
	f->tells = tells;
	return behind_value(text) == end && take(f->step, sizeof(f->step), text, end);
}

static bool take_replica(struct python_function *f, enum python_of of, const char *text, const char *end)
{
	(void)of;
	return take_told(f, TELLS_REPLICA, text, end);
}

static bool take_loaded(struct python_function *f, enum python_of of, const char *text, const char *end)
{
	(void)of;
	return take_told(f, TELLS_LOADED, text, end);
}

static bool take_word(char word[PYTHON_VALUE], const char *text, const char *end)
{
	for (const char *p = text; p < end; p++)
		if (!is_letter(*p) && *p != '-' && *p != '.' && (*p < '0' || *p > '9'))
			return false;
	return take(word, PYTHON_VALUE, text, end);
}

/* A word; of a stage it may be read from the call. Of a number source it is what the call tells. */
static bool take_role(struct python_function *f, enum python_of of, const char *text, const char *end)
{
	if (of == PYTHON_NUMBER) {
		f->number = NUMBER_READ;
		f->tells = TELLS_PHASE;
	}
	if (of == PYTHON_STAGE && behind_value(text) == end)
		return take(f->role, sizeof(f->role), text, end);
	return take_word(f->role, text, end);
}

static bool take_stage(struct python_function *f, enum python_of of, const char *text, const char *end)
{
	(void)of;
	return take_word(f->stage, text, end);
}

static bool take_rank(struct python_function *f, enum python_of of, const char *text, const char *end)
{
	(void)of;
	return behind_value(text) == end && take(f->rank, sizeof(f->rank), text, end);
}

static bool take_comparison(char value[PYTHON_VALUE], char is[PYTHON_VALUE], const char *text, const char *end)
{
	const char *behind = behind_value(text);

	return end - behind > 2 && !strncmp(behind, "==", 2) && take(value, PYTHON_VALUE, text, behind) &&
	       take(is, PYTHON_VALUE, behind + 2, end);
}

static bool take_when(struct python_function *f, enum python_of of, const char *text, const char *end)
{
	(void)of;
	return take_comparison(f->when, f->when_is, text, end);
}

static bool take_skip(struct python_function *f, enum python_of of, const char *text, const char *end)
{
	(void)of;
	return take_comparison(f->skip, f->skip_is, text, end);
}

#define VALUE	"arg:NAME or attr:self.NAME or global:MODULE:NAME, with .name and [key] behind it"
#define NUMBER	"is no number of a step: write step=" VALUE ", and +1 or -1"
#define WORD	"write a word"
#define IN(of)	(1u << PYTHON_##of)
#define BATCHES (IN(MINI) | IN(MICRO))
#define ALL	(IN(STEP) | IN(STAGE) | BATCHES | IN(NUMBER))

/* What may stand between the braces, in which sources, and what is said of one that is written otherwise. */
static const struct item {
	const char *key;
	unsigned int in;
	bool (*take)(struct python_function *f, enum python_of of, const char *text, const char *end);
	const char *wrong;
} items[] = {
	{ "step=", IN(STEP), take_number, NUMBER "; or step=published, or step=counted" },
	{ "step=", IN(NUMBER), take_number, NUMBER },
	{ "replica=", IN(NUMBER), take_replica, "is no replica: write replica=" VALUE },
	{ "loaded=", IN(NUMBER), take_loaded, "is no path: write loaded=" VALUE },
	{ "role=", IN(STAGE), take_role, "is no role: " WORD ", or role=" VALUE },
	{ "role=", BATCHES | IN(NUMBER), take_role, "is no role: " WORD },
	{ "stage=", BATCHES, take_stage, "is no stage: " WORD },
	{ "rank=", ALL, take_rank, "is no rank: write rank=" VALUE },
	{ "when=", ALL, take_when, "compares nothing: write when=" VALUE ", and ==TEXT" },
	{ "skip=", ALL, take_skip, "compares nothing: write skip=" VALUE ", and ==TEXT" },
};
#define ITEMS (sizeof(items) / sizeof(*items))

static int refuse_item(enum python_of of, const char *text, int length, char *why, size_t size)
{
	const char *keys[ITEMS + 1];
	unsigned int n = 0;
	char all[128];

	for (unsigned int i = 0; i < ITEMS; i++)
		if (items[i].in >> of & 1)
			keys[n++] = items[i].key;
	keys[n] = NULL;
	words_join(all, sizeof(all), keys, "", " or ");
	return refuse(why, size, "'%.*s' is nothing that a call can be asked here: write %s", length, text, all);
}

static int read_item(struct python_function *f, enum python_of of, const char *text, const char *end, char *why, size_t size)
{
	int length = shown(end - text);

	for (const struct item *item = items; item < items + ITEMS; item++) {
		size_t key = strlen(item->key);

		if (item->in >> of & 1 && !strncmp(text, item->key, key))
			return item->take(f, of, text + key, end) ? 0 : refuse(why, size, "'%.*s' %s", length, text, item->wrong);
	}
	return refuse_item(of, text, length, why, size);
}

/* The comma, or the brace, behind an item; one between brackets is part of it. */
static const char *item_end(const char *text)
{
	bool inside = false;

	for (; *text && (inside || (*text != ',' && *text != '}')); text++)
		inside = *text == '[' || (inside && *text != ']');
	return text;
}

/* By an item from there on. */
static bool is_said_before(const char *from, const char *item)
{
	size_t key = strcspn(item, "=") + 1;

	for (; from < item; from = item_end(from) + 1)
		if (!strncmp(from, item, key))
			return true;
	return false;
}

static int read_items(struct python_function *f, enum python_of of, const char *text, char *why, size_t size)
{
	const char *first = text + 1, *end;
	int err;

	do {
		end = item_end(++text);
		if (is_said_before(first, text))
			return refuse(why, size, "%.*s is given twice: keep one", (int)strcspn(text, "=,}"), text);
		err = read_item(f, of, text, end, why, size);
		if (err)
			return err;
		text = end;
	} while (*text == ',');
	return strcmp(text, "}") ? refuse(why, size, "'%.64s' stands where the function ends: write } there, and nothing behind it", text) : 0;
}

/* ---- the whole ---- */

int python_read(struct python_function *f, enum python_of of, const char *text, char *why, size_t size)
{
	const char *colon = behind_names(text, false), *end = *colon == ':' ? behind_names(colon + 1, true) : colon;
	int err;

	*f = (struct python_function){ .at_return = false };
	snprintf(f->text, sizeof(f->text), "%s", text);
	if (end == colon || end == colon + 1)
		return refuse(why, size, "'python:%.64s' is no function of Python: write python:" PYTHON_FUNCTION, text);
	if (!take(f->module, sizeof(f->module), text, colon) || !take(f->path, sizeof(f->path), colon + 1, end))
		return refuse(why, size, "'python:%.64s' is too long: write names of less than %zu letters", text, sizeof(f->path));
	f->at_return = !strncmp(end, "@return", 7);
	if (*end == '@' && of == PYTHON_STAGE)
		return refuse(why, size, "'%.64s': a stage is the whole call: write nothing behind the function's name, or {role=NAME}", end);
	if (f->at_return)
		end += 7;
	else if (!strncmp(end, "@entry", 6))
		end += 6;
	if (*end && *end != '{')
		return refuse(why, size, "'%.64s' stands behind python:%s:%s: write @entry or @return there, or {...}", end, f->module, f->path);
	err = *end ? read_items(f, of, end, why, size) : 0;
	if (!err && of == PYTHON_NUMBER && f->number != NUMBER_READ)
		return refuse(why, size, "python:%.64s:%.64s tells no number: write {step=arg:NAME} behind it, or replica=, loaded= or role= for step=", f->module, f->path);
	return err;
}

int python_parse(struct step_source_spec *s, char *why, size_t size)
{
	struct python_function f;
	int err;

	s->ends = true;
	if (!strcmp(s->argument, PYTHON_OPTIMIZER))
		return 0;
	err = python_read(&f, PYTHON_STEP, s->argument, why, size);
	s->ends = f.at_return && f.number == NUMBER_CALLS; /* who tells the number says which step begins */
	return err;
}
