#include "analysis/launch/shell_words.h"

#include <string.h>

/* What is being written down. */
struct splitter {
	struct shell_words *s;
	size_t used;
	bool in_word;
};

static bool put(struct splitter *p, char c)
{
	struct shell_words *s = p->s;

	if (p->used + 2 >= sizeof(s->text) || s->count + 2 >= SHELL_WORDS)
		return false;
	if (!p->in_word)
		s->words[s->count++] = s->text + p->used;
	p->in_word = true;
	s->text[p->used++] = c;
	return true;
}

static void end_word(struct splitter *p)
{
	if (p->in_word)
		p->s->text[p->used++] = '\0';
	p->in_word = false;
}

static void end_command(struct splitter *p)
{
	struct shell_words *s = p->s;

	end_word(p);
	if (s->count && s->words[s->count - 1] && s->count + 2 < SHELL_WORDS)
		s->words[s->count++] = NULL;
}

/* A word of nothing ('') is one. */
static bool begin_word(struct splitter *p)
{
	if (p->in_word)
		return true;
	if (!put(p, ' '))
		return false;
	p->used--;
	return true;
}

/* Behind the closing mark; NULL: there is no room. */
static const char *quoted(struct splitter *p, const char *line)
{
	char mark = *line++;

	if (!begin_word(p))
		return NULL;
	for (; *line && *line != mark; line++) {
		if (mark == '"' && *line == '\\' && line[1] && strchr("\"\\$`", line[1]))
			line++;
		if (!put(p, *line))
			return NULL;
	}
	return line + (*line != '\0');
}

/* Behind what begins at line; NULL: there is no room. */
static const char *next(struct splitter *p, const char *line)
{
	if (*line == '\'' || *line == '"')
		return quoted(p, line);
	if (*line == '\\' && line[1])
		return line[1] == '\n' || put(p, line[1]) ? line + 2 : NULL;
	if (*line == '#' && !p->in_word)
		return line + strcspn(line, "\n");
	if (strchr(";&|()\n", *line))
		end_command(p);
	else if (strchr(" \t\r", *line))
		end_word(p);
	else if (!put(p, *line))
		return NULL;
	return line + 1;
}

bool shell_words(struct shell_words *s, const char *line)
{
	struct splitter p = { .s = s };

	s->count = 0;
	while (line && *line)
		line = next(&p, line);
	end_command(&p);
	s->words[s->count] = NULL;
	return line;
}

char *const *shell_words_next(const struct shell_words *s, char *const *before)
{
	for (size_t i = before ? (size_t)(before - s->words) + 1 : 0; i < s->count; i++)
		if (s->words[i] && (!i || !s->words[i - 1]))
			return s->words + i;
	return NULL;
}
