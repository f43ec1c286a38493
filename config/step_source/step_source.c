/* step_source.c - reads step source specs and refuses what this version does not have. */
#include "config/step_source/step_source.h"
#include <errno.h>
#include <regex.h>
#include <string.h>
#include "config/base/refuse.h"
#include "config/step_source/pattern.h"

#define GRAMMAR "write api, symbol:LIB:NAME@entry (or @return), kernel:REGEX or " STEP_SOURCE_OPTIMIZER

/* Copies [from, end) if it fits and is not empty. */
static bool take(char *to, size_t size, const char *from, const char *end)
{
	size_t length = end - from;

	if (!length || length >= size)
		return false;
	memcpy(to, from, length);
	to[length] = '\0';
	return true;
}

static int read_kernel(struct step_source_spec *s, const char *from, const char *end, char *why,
		       size_t size)
{
	char problem[128];
	regex_t regex;
	int err;

	s->kind = STEP_SOURCE_KERNEL;
	if (!take(s->regex, sizeof(s->regex), from, end))
		return refuse(why, size, "the expression behind kernel: must have 1 to %zu letters",
			      sizeof(s->regex) - 1);
	if (pattern_check(s->regex, why, size))
		return -EINVAL;
	err = regcomp(&regex, s->regex, REG_EXTENDED | REG_NOSUB);
	if (err) {
		regerror(err, &regex, problem, sizeof(problem));
		return refuse(why, size, "'kernel:%.64s' is no extended regular expression (%s): "
					 "write one like kernel:adam.*",
			      s->regex, problem);
	}
	regfree(&regex);
	return 0;
}

static int read_symbol(struct step_source_spec *s, const char *from, const char *end, char *why,
		       size_t size)
{
	const char *colon = memchr(from, ':', end - from), *at = memchr(from, '@', end - from);
	char where[8] = "";

	s->kind = STEP_SOURCE_SYMBOL;
	if (at && !take(where, sizeof(where), at + 1, end))
		where[0] = '?';
	s->at_return = !strcmp(where, "return");
	if (!colon || !at || at < colon || (!s->at_return && strcmp(where, "entry")) ||
	    !take(s->library, sizeof(s->library), from, colon) ||
	    !take(s->symbol, sizeof(s->symbol), colon + 1, at))
		return refuse(why, size,
			      "'symbol:%.*s' is no symbol: write "
			      "symbol:LIB:NAME@entry or symbol:LIB:NAME@return",
			      shown(end - from), from);
	return 0;
}

static int read_python(struct step_source_spec *s, const char *from, const char *end, char *why,
		       size_t size)
{
	size_t length = end - from;

	s->kind = STEP_SOURCE_PYTHON;
	if (length == strlen(STEP_SOURCE_OPTIMIZER) && !strncmp(from, STEP_SOURCE_OPTIMIZER, length))
		return 0;
	return refuse(why, size, "'%.*s' is not in this version, which watches one function of Python: write " STEP_SOURCE_OPTIMIZER, shown(length), from);
}

static int read_spec(struct step_source_spec *s, const char *from, const char *end, char *why,
		     size_t size)
{
	static const char *const later[] = { "marker", "collective", "auto", "time" };
	size_t word;

	*s = (struct step_source_spec){ .kind = STEP_SOURCE_API };
	for (word = 0; from + word < end && from[word] != ':'; word++)
		;
	if (word == 3 && !strncmp(from, "api", 3) && from + word == end)
		return 0;
	if (word == 6 && !strncmp(from, "kernel", 6) && from + word < end)
		return read_kernel(s, from + word + 1, end, why, size);
	if (word == 6 && !strncmp(from, "symbol", 6) && from + word < end)
		return read_symbol(s, from + word + 1, end, why, size);
	if (word == 6 && !strncmp(from, "python", 6))
		return read_python(s, from, end, why, size);
	for (unsigned int i = 0; i < sizeof(later) / sizeof(later[0]); i++)
		if (strlen(later[i]) == word && !strncmp(from, later[i], word))
			return refuse(why, size,
				      "the step source '%s' is not in this version: " GRAMMAR,
				      later[i]);
	return refuse(why, size, "'%.*s' is no step source: " GRAMMAR, shown(end - from), from);
}

int step_source_parse(const char *text, struct step_source_spec specs[STEP_SOURCES],
		      unsigned int *count, char *why, size_t size)
{
	const char *next, *end;
	int err;

	for (*count = 0; *text; text = next) {
		text += strspn(text, " \t");
		end = text + strcspn(text, ";");
		next = *end ? end + 1 : end;
		while (end > text && strchr(" \t", end[-1]))
			end--;
		if (end == text)
			continue;
		if (*count == STEP_SOURCES)
			return refuse(why, size, "more than %d step sources: write fewer", STEP_SOURCES);
		err = read_spec(&specs[(*count)++], text, end, why, size);
		if (err)
			return err;
	}
	return 0;
}
