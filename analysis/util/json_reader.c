/* json_reader.c - a small reader for what we write ourselves; it trusts nothing all the same. */
#include "analysis/util/json_reader.h"

#include <errno.h>
#include <string.h>

struct json {
	char *p;
	struct json_leaf leaf;
	unsigned int lists;
	void (*call)(void *context, const struct json_leaf *);
	void *context;
};

static void skip_space(struct json *j)
{
	j->p += strspn(j->p, " \t\r\n");
}

/* Decodes one escape; what is behind \u above 7f becomes '?'. */
static char unescape(char **from)
{
	static const char letters[] = "bfnrt", values[] = "\b\f\n\r\t";
	const char *at;
	unsigned int code = 0;
	char c = *(*from)++;

	if (c != 'u') {
		at = c ? strchr(letters, c) : NULL;
		return at ? values[at - letters] : c;
	}
	for (int i = 0; i < 4; i++) {
		at = **from ? strchr("0123456789abcdef", **from | 0x20) : NULL;
		if (!at)
			return '\0';
		code = code << 4 | (unsigned int)(at - "0123456789abcdef");
		(*from)++;
	}
	return code && code < 0x80 ? (char)code : '?';
}

/* The string at p, decoded where it stands; NULL if it does not end. */
static char *read_string(struct json *j)
{
	char *start = ++j->p, *to = start;

	while (*j->p != '"') {
		if (!*j->p)
			return NULL;
		if (*j->p != '\\')
			*to++ = *j->p++;
		else if (j->p++, !(*to++ = unescape(&j->p)))
			return NULL;
	}
	j->p++;
	*to = '\0';
	return start;
}

static int read_scalar(struct json *j)
{
	char word[32];
	size_t length = strcspn(j->p, ",]} \t\r\n");

	if (*j->p == '"') {
		j->leaf.text = read_string(j);
		if (!j->leaf.text)
			return -EINVAL;
	} else {
		if (!length || length >= sizeof(word))
			return -EINVAL;
		memcpy(word, j->p, length);
		word[length] = '\0';
		j->leaf.text = strcmp(word, "null") ? word : NULL;
		j->p += length;
	}
	j->call(j->context, &j->leaf);
	return 0;
}

static int read_value(struct json *j);

static int read_member(struct json *j, char close, size_t n)
{
	const char **name = &j->leaf.path[j->leaf.depth - 1];

	*name = "";
	if (close == '}') {
		*name = *j->p == '"' ? read_string(j) : NULL;
		skip_space(j);
		if (!*name || *j->p++ != ':')
			return -EINVAL;
	} else if (j->lists == 1) {
		j->leaf.index = n;
	}
	return read_value(j);
}

/* An object or a list, p on its bracket. */
static int read_members(struct json *j)
{
	char close = *j->p++ == '{' ? '}' : ']';
	int err = 0;

	if (j->leaf.depth == JSON_DEPTH)
		return -EINVAL;
	j->leaf.depth++;
	j->lists += close == ']';
	skip_space(j);
	for (size_t n = 0; *j->p != close && !err; n++) {
		if (n && *j->p++ != ',')
			return -EINVAL;
		skip_space(j);
		err = read_member(j, close, n);
		skip_space(j);
	}
	j->leaf.depth--;
	j->lists -= close == ']';
	j->p += !err;
	return err;
}

static int read_value(struct json *j)
{
	skip_space(j);
	return *j->p == '{' || *j->p == '[' ? read_members(j) : read_scalar(j);
}

int json_read(char *text, void (*leaf)(void *context, const struct json_leaf *), void *context)
{
	struct json j = { .p = text, .call = leaf, .context = context };
	int err = read_value(&j);

	skip_space(&j);
	return err || *j.p ? -EINVAL : 0;
}
