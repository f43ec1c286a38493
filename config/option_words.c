#include "config/option_words.h"
#include <string.h>

static const struct {
	enum option_id id;
	const char *text;
} words[OPTION_WORDS] = {
#define WORD(key, symbol, word) { OPTION_##key, word },
#include "config/options.def"
};

const char *option_word(int word)
{
	return words[word].text;
}

int option_word_find(enum option_id id, const char *text)
{
	for (int i = 0; i < OPTION_WORDS; i++)
		if (words[i].id == id && !strcmp(words[i].text, text))
			return i;
	return -1;
}

void option_words(enum option_id id, const char *list[OPTION_WORDS + 1])
{
	for (unsigned int i = 0; i < OPTION_WORDS; i++)
		if (words[i].id == id)
			*list++ = words[i].text;
	*list = NULL;
}

const char *const *option_choice(enum option_id id, const char *own[OPTION_WORDS + 1])
{
	option_words(id, own);
	return options[id].type->words ? options[id].type->words : own;
}
