/* trainer_flags.c - flags of argparse as settings: --profile-ranks 0 1, --training.profile_ranks=0. */
#include <stdio.h>
#include <string.h>
#include "config/base/words.h"
#include "config/load/trainer_values.h"

#define KEY_SIZE 64
#define KEYS_MAX 32

static bool is_switch(const struct trainer_settings *s, const struct trainer_key *k)
{
	static const unsigned int valued = 1u << MEANS_START | 1u << MEANS_END | 1u << MEANS_RANKS | 1u << MEANS_LEVEL | 1u << MEANS_EXPORT | 1u << MEANS_PATH;

	return s->d->words == WORDS_FLAGS && !(valued >> k->means & 1);
}

/* A dash and a digit are a number. */
static bool is_flag(const char *word)
{
	return word[0] == '-' && !(word[1] >= '0' && word[1] <= '9');
}

/* The flag's key, as settings have it; false: it is none of the profiler's. */
static bool key_of(const struct trainer_settings *s, const char *word, char key[KEY_SIZE])
{
	size_t tree = s->d->tree ? strlen(s->d->tree) : 0;

	if (strncmp(word, "--", 2))
		return false;
	word += 2;
	if (s->d->words == WORDS_DOTTED_FLAGS) {
		if (strncmp(word, s->d->tree, tree) || word[tree] != '.')
			return false;
		word += tree + 1;
	}
	snprintf(key, KEY_SIZE, "%.*s", (int)strcspn(word, "="), word);
	return true;
}

/* The row of a key: some programs take the beginning of one. NULL: there is none, or several. */
static const struct trainer_key *row_of(const struct trainer_settings *s, const char *key)
{
	const struct trainer_key *begun = NULL;
	unsigned int many = 0;

	for (const struct trainer_key *k = trainer_key_rows; k->key; k++) {
		if (k->keys != s->d->keys)
			continue;
		if (!strcmp(k->key, key))
			return k;
		if (s->d->words == WORDS_DOTTED_FLAGS && !strncmp(k->key, key, strlen(key)) && strlen(key) > strlen("profile"))
			begun = many++ ? NULL : k;
	}
	return begun;
}

/* As it is typed; an underscore in a flag of words with dashes is none of them. */
static void as_typed(const struct trainer_settings *s, char key[KEY_SIZE], char from, char to)
{
	for (char *c = key; s->d->words == WORDS_FLAGS && *c; c++)
		if (*c == from)
			*c = to;
}

/* Megatron-LM's of PyTorch's profiler do not begin as the others. */
static bool is_profilers(const struct trainer_settings *s, const char *key)
{
	return trainer_is_profilers(key) || (s->d->keys == KEYS_MEGATRON && strstr(key, "pytorch_profiler"));
}

static void tell_unknown(const struct trainer_settings *s, const char *word, const char *key)
{
	const char *list[KEYS_MAX + 1] = { NULL }, *near;
	char shown_key[KEY_SIZE], nearest[KEY_SIZE];
	unsigned int n = 0;

	for (const struct trainer_key *k = trainer_key_rows; k->key; k++)
		if (k->keys == s->d->keys && n < KEYS_MAX)
			list[n++] = k->key;
	snprintf(shown_key, sizeof(shown_key), "%s", key);
	as_typed(s, shown_key, '-', '_');
	near = word_nearest(shown_key, list);
	snprintf(nearest, sizeof(nearest), "%s", near ? near : "");
	as_typed(s, nearest, '_', '-');
	trainer_settings_say(s, "%.*s is unknown to %s and left out%s%s%s%s", (int)strcspn(word, "="), word, s->d->of, near ? ": did you mean --" : "",
			     near && s->d->words == WORDS_DOTTED_FLAGS ? s->d->tree : "", near && s->d->words == WORDS_DOTTED_FLAGS ? "." : "", nearest);
}

static bool set_text(struct trainer_settings *s, struct node *n, const char *text)
{
	n->shape = SHAPE_SCALAR;
	n->origin = TREE_COMMAND;
	n->text = tree_text(&s->tree, text, strlen(text));
	return n->text;
}

/* All words to the next flag. */
static bool set_list(struct trainer_settings *s, struct node *list, const char *text, char *const *words)
{
	struct node *item;

	tree_clear(list, SHAPE_LIST);
	list->origin = TREE_COMMAND;
	while (text) {
		item = tree_add(&s->tree, list, NULL, 0);
		if (!item || !set_text(s, item, text))
			return false;
		text = words && *words && !is_flag(*words) ? *words++ : NULL;
	}
	return true;
}

/* words: what stands behind it. */
static const char *lay(struct trainer_settings *s, const struct trainer_key *k, const char *word, char *const *words)
{
	const char *equals = strchr(word, '='), *text = equals ? equals + 1 : *words && !is_flag(*words) ? *words
													 : NULL;
	struct node *n;
	char path[2 * KEY_SIZE];

	snprintf(path, sizeof(path), "%s%s%s", s->d->tree ? s->d->tree : "", s->d->tree ? "." : "", k->key);
	n = tree_make(&s->tree, path, strlen(path));
	if (!n)
		return "too many settings: write fewer";
	if (is_switch(s, k))
		text = "true";
	else if (!text && (k->means == MEANS_RANKS || s->d->words == WORDS_FLAGS || k->means == MEANS_START || k->means == MEANS_END || k->means == MEANS_LEVEL))
		return "a value is missing: write it behind the flag";
	tree_clear(n, SHAPE_SCALAR);
	text = text ? text : "true";
	if (strpbrk(text, "$`"))
		return "a variable of the shell's is not looked into: write its value, or give --steps";
	if (!(k->means == MEANS_RANKS ? set_list(s, n, text, equals ? NULL : words + 1) : set_text(s, n, text)))
		return "too many settings: write fewer";
	return NULL;
}

const char *trainer_flags(struct trainer_settings *s, char *const *words, const char **word)
{
	const struct trainer_key *k;
	const char *problem = NULL;
	char key[KEY_SIZE];

	for (; !problem && *words; words++) {
		*word = *words;
		if (!key_of(s, *words, key))
			continue;
		if (s->d->words == WORDS_FLAGS && strchr(key, '_')) {
			k = NULL;
		} else {
			as_typed(s, key, '-', '_');
			k = row_of(s, key);
		}
		if (k)
			problem = lay(s, k, *words, words + 1);
		else if (is_profilers(s, key))
			tell_unknown(s, *words, key);
	}
	return problem;
}
