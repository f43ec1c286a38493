#include "config/role_choice.h"
#include <stdio.h>
#include <string.h>
#include "config/base/refuse.h"
#include "config/base/words.h"

const char *const role_keys[] = {
#define KEY(key, type) #key,
	ROLE_KEYS(KEY)
#undef KEY
		NULL
};

static const struct {
	const struct option_type *type;
	size_t offset;
} fields[] = {
#define KEY(key, type) { &type_##type, offsetof(struct role_choice, key) },
	ROLE_KEYS(KEY)
#undef KEY
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

/* ---- whose a stage is ---- */

static const struct {
	const char *stage, *role;
} others[] = {
#define ROLE_STAGE(stage, role) { stage, role },
#include "config/roles.def"
#undef ROLE_STAGE
};

bool role_has_stage(const char *role, const char *stage)
{
	size_t length = strlen(role);

	if (!strncmp(stage, role, length) && (stage[length] == '_' || !stage[length]))
		return true;
	for (unsigned int i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(others[i].stage, stage) && !strcmp(others[i].role, role))
			return true;
	return false;
}

/* A validation is nobody's part: it is meant only where it is named. */
bool role_is_validation(const char *stage)
{
	size_t length = strlen(stage);

	return length > strlen("_validate") && !strcmp(stage + length - strlen("_validate"), "_validate");
}

/* The longest name is the nearest: rollout_generate before rollout. */
const struct role_choice *role_choice_of(const struct role_choices *choices, const char *stage)
{
	const struct role_choice *found = NULL;

	for (unsigned int i = 0; i < choices->count; i++) {
		const struct role_choice *c = &choices->list[i];

		if (role_is_validation(stage) && strcmp(c->role, stage))
			continue;
		if (role_has_stage(c->role, stage) && (!found || strlen(c->role) > strlen(found->role)))
			found = c;
	}
	return found;
}

void role_choices_forget(struct role_choices *choices, enum role_key key)
{
	for (unsigned int i = 0; i < choices->count; i++)
		choices->list[i].given &= ~(1u << key);
}

/* ---- reading ---- */

#define EXAMPLE "write it like actor{ranks=0 8,level=level1}"

static int refuse_key(const char *role, const char *key, char *why, size_t size)
{
	const char *near = word_nearest(key, role_keys);
	char all[128];

	words_join(all, sizeof(all), role_keys, "", " or ");
	return refuse(why, size, "%s: '%.40s' is nothing that is said of a role: write %s", role, key, near ? near : all);
}

/* What a type says of a value it does not know is said of the role. */
static int read_value(struct role_choice *c, enum role_key key, const char *value, char *why, size_t size)
{
	char reason[512];

	if (fields[key].type->set(NULL, (char *)c + fields[key].offset, value, reason, sizeof(reason)))
		return refuse(why, size, "%s: %s: %s", c->role, role_keys[key], reason);
	c->given |= 1u << key;
	return 0;
}

static int read_item(struct role_choice *c, const char *item, size_t length, char *why, size_t size)
{
	char text[2048], *value;

	if (length >= sizeof(text))
		return refuse(why, size, "%s: longer than %zu bytes: write a shorter one", c->role, sizeof(text) - 1);
	memcpy(text, item, length);
	text[length] = '\0';
	value = strchr(text, '=');
	if (!value)
		return refuse(why, size, "%s: '%.40s' says nothing: " EXAMPLE, c->role, text);
	*value++ = '\0';
	for (enum role_key key = 0; key < FIELDS; key++)
		if (!strcmp(role_keys[key], text))
			return role_says(c, key) ? refuse(why, size, "%s: %s is given twice: keep one", c->role, text)
						 : read_value(c, key, value, why, size);
	return refuse_key(c->role, text, why, size);
}

/* Between the braces. */
static int read_items(struct role_choice *c, const char *from, const char *end, char *why, size_t size)
{
	size_t length;
	int err;

	for (from += strspn(from, " \t,"); from < end; from += strspn(from, " \t,")) {
		length = strcspn(from, ",");
		if (from + length > end)
			length = (size_t)(end - from);
		err = read_item(c, from, length, why, size);
		if (err)
			return err;
		from += length;
	}
	return 0;
}

static bool is_name(const char *from, size_t length)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

	return length > 0 && length < ROLE_NAME && strspn(from, letters) >= length;
}

static int read_role(struct role_choices *choices, const char *from, const char *end, char *why, size_t size)
{
	struct role_choice *c = &choices->list[choices->count];
	const char *brace = memchr(from, '{', (size_t)(end - from));
	size_t length = (size_t)((brace ? brace : end) - from);

	if (choices->count == ROLE_CHOICES)
		return refuse(why, size, "more than %d roles: write fewer", ROLE_CHOICES);
	while (length && strchr(" \t", from[length - 1]))
		length--;
	if (!is_name(from, length) || (brace && end[-1] != '}'))
		return refuse(why, size, "'%.*s' is no role: " EXAMPLE, shown(end - from), from);
	*c = (struct role_choice){ .enable = true };
	memcpy(c->role, from, length);
	for (unsigned int i = 0; i < choices->count; i++)
		if (!strcmp(choices->list[i].role, c->role))
			return refuse(why, size, "%s is given twice: keep one", c->role);
	choices->count++;
	return brace ? read_items(c, brace + 1, end - 1, why, size) : 0;
}

#define BETWEEN " \t;,"

/* Finds the next role, [*from, *end), and moves *text behind it. False: there is none. */
static bool next_role(const char **text, const char **from, const char **end)
{
	const char *brace;

	*from = *text + strspn(*text, BETWEEN);
	brace = *from + strcspn(*from, "{;,");
	*end = *brace == '{' ? brace + strcspn(brace, ";}") : brace;
	*end += **end == '}';
	if (*brace == '{')
		*end += strcspn(*end, BETWEEN); /* what stands behind it is refused with it */
	*text = *end;
	while (*end > *from && strchr(" \t", (*end)[-1]))
		(*end)--;
	return *end > *from;
}

int role_choices_read(struct role_choices *choices, const char *text, char *why, size_t size)
{
	const char *from, *end;
	int err;

	choices->count = 0;
	while (next_role(&text, &from, &end)) {
		err = read_role(choices, from, end, why, size);
		if (err)
			return err;
	}
	return 0;
}

/* ---- printing ---- */

static void put(char **at, size_t *left, const char *text)
{
	int n = snprintf(*at, *left, "%s", text);
	size_t written = (size_t)n < *left ? (size_t)n : *left ? *left - 1
							       : 0;

	*at += written;
	*left -= written;
}

/* Commas stand between a role's items. */
static void put_value(const struct role_choice *c, enum role_key key, char **at, size_t *left)
{
	char value[2048];

	fields[key].type->text((const char *)c + fields[key].offset, value, sizeof(value));
	for (char *comma = strchr(value, ','); comma; comma = strchr(comma, ','))
		*comma = ' ';
	put(at, left, role_keys[key]);
	put(at, left, "=");
	put(at, left, value);
}

static void put_role(const struct role_choice *c, char **at, size_t *left)
{
	const char *between = "{";

	put(at, left, c->role);
	for (enum role_key key = 0; key < FIELDS; key++) {
		if (!role_says(c, key))
			continue;
		put(at, left, between);
		put_value(c, key, at, left);
		between = ",";
	}
	if (c->given)
		put(at, left, "}");
}

void role_choices_text(const struct role_choices *choices, char *text, size_t size)
{
	text[0] = '\0';
	for (unsigned int i = 0; i < choices->count; i++) {
		if (i)
			put(&text, &size, ";");
		put_role(&choices->list[i], &text, &size);
	}
}
