/* trainer_settings.c - settings of a trainer in a file or a command: the tree of what was said. */
#include "config/load/trainer_settings.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "config/base/version.h"
#include "config/load/dialects.h"
#include "config/load/hydra.h"
#include "config/load/load.h"
#include "config/load/trainer_values.h"

const struct trainer_dialect trainer_dialect_rows[] = {
#define TRAINER_DIALECT(dialect, family, ...) { .name = dialect, .keys = KEYS_##family, __VA_ARGS__ },
#include "config/load/trainer_settings.def"
	{ 0 }
};

const struct trainer_key trainer_key_rows[] = {
#define TRAINER_KEY(family, key, meaning, default) { KEYS_##family, key, MEANS_##meaning, default },
#include "config/load/trainer_settings.def"
	{ 0 }
};

const struct trainer_dialect *trainer_dialect(const char *name, const char *version)
{
	const struct trainer_dialect *found = NULL;

	for (const struct trainer_dialect *d = trainer_dialect_rows; d->name; d++)
		if (!strcmp(d->name, name) && (!found || !d->from || !version || !*version || version_is_at_least(version, d->from)))
			found = d;
	return found;
}

const struct trainer_dialect *trainer_dialect_there(struct loader_command *c, const char *name)
{
	const struct trainer_dialect *d = trainer_dialect(name, NULL);
	const char *version;

	if (!d->from)
		return d;
	version = c->version(d->package);
	if (!version)
		c->untold = d->package;
	return trainer_dialect(name, version);
}

void trainer_settings_say(const struct trainer_settings *s, const char *format, ...)
{
	char line[1400];
	va_list args;

	if (!s->l->command)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	s->l->command->say(line);
}

void trainer_settings_where(const struct trainer_settings *s, const struct node *n, char *text, size_t size)
{
	bool flag = n->origin && !*n->origin && s->d->words != WORDS_DOTS;
	char path[512];

	tree_where(n, path, sizeof(path));
	snprintf(text, size, "%s%s", flag ? "--" : "", path);
	for (char *c = text; flag && s->d->words == WORDS_FLAGS && *c; c++)
		if (*c == '_')
			*c = '-';
}

bool trainer_is_profilers(const char *key)
{
	size_t length = strlen("profile");

	return !strncmp(key, "profile", length) && (!key[length] || key[length] == '_' || key[length] == '-');
}

/* ---- the tree ---- */

static int no_room(const struct trainer_settings *s)
{
	return refuse(s->l->error, s->l->size, "%s: too many settings: write fewer", s->path ? s->path : "the command");
}

static int lay_defaults(struct trainer_settings *s, const char *base)
{
	char path[128];
	const char *initial;
	struct node *n;

	for (const struct trainer_key *k = trainer_key_rows; k->key; k++) {
		initial = k->means == MEANS_RANKS ? s->d->ranks : k->initial;
		if (k->keys != s->d->keys || !initial)
			continue;
		snprintf(path, sizeof(path), "%s%s%s", base, *base ? "." : "", k->key);
		n = tree_make(&s->tree, path, strlen(path));
		if (!n || hydra_value(&s->tree, n, initial))
			return no_room(s);
	}
	return 0;
}

/* What is at that path below a mapping; NULL: nothing. */
static struct node *below(struct node *n, const char *path)
{
	size_t key;

	for (; n && *path; path += key + (path[key] == '.')) {
		key = strcspn(path, ".");
		n = tree_child(n, path, key);
	}
	return n;
}

/* Of keys that may be written with dashes. */
static void without_dashes(struct node *map)
{
	for (struct node *n = map ? map->first : NULL; n; n = n->next)
		for (char *c = (char *)n->key; c && *c; c++)
			if (*c == '-')
				*c = '_';
}

static int lay_file(void *settings, const char *path, const char *text, size_t length)
{
	struct trainer_settings *s = settings;
	struct node *n = tree_add(&s->tree, NULL, NULL, 0);
	int err;

	if (!n)
		return no_room(s);
	err = tree_read(&s->tree, n, s->l, path, text, length);
	if (err || n->shape != SHAPE_MAP)
		return err;
	if (s->d->dashes)
		without_dashes(below(n, s->bare ? "" : s->d->tree));
	return tree_merge(&s->tree, s->tree.root, n) ? 0 : no_room(s);
}

static const char *lay_dotted(struct trainer_settings *s, char *const *words, const char **word)
{
	const char *problem = NULL;
	char begin[64];

	snprintf(begin, sizeof(begin), "%s.", s->d->tree);
	for (; !problem && *words; words++) {
		*word = *words;
		if (!strncmp(*words + strspn(*words, "+~"), begin, strlen(begin)) || !strncmp(*words, begin, strlen(begin) - 1))
			problem = hydra_word(&s->tree, *words);
	}
	return problem;
}

static int lay_words(struct trainer_settings *s)
{
	char *const *words = s->l->command ? s->l->command->words : NULL;
	const char *word = "", *problem;

	if (!words)
		return 0;
	problem = s->d->words == WORDS_DOTS ? lay_dotted(s, words, &word) : trainer_flags(s, words, &word);
	return problem ? refuse(s->l->error, s->l->size, "%.256s: %s", word, problem) : 0;
}

/* ---- a file, and a command ---- */

static int lay_all(struct trainer_settings *s, const char *text, size_t length)
{
	const char *base = s->bare || !s->d->tree ? "" : s->d->tree;
	struct loader_command *command = s->l->command;
	int err = lay_defaults(s, base);

	if (!err && command && command->config_file)
		err = load_file(s->l, command->config_file, false, lay_file, s);
	if (!err && text)
		err = lay_file(s, s->path, text, length);
	err = err ? err : lay_words(s);
	s->keys = *base ? tree_find(&s->tree, base, strlen(base)) : s->tree.root;
	return err;
}

/* With PyTorch's profiler Megatron's numbers mean other steps; of words the command's look-up has asked already. */
static void choose_by_profiler(struct trainer_settings *s)
{
	struct loader_command *command = s->l->command;
	const struct node *n = command && command->config_file && s->keys ? below((struct node *)s->keys, "use_pytorch_profiler") : NULL;

	if (n && n->shape == SHAPE_SCALAR && !strcasecmp(n->text, "true") && !strcmp(s->d->name, "megatron"))
		s->d = trainer_dialect_there(command, "megatron-torch");
}

static void keep_told(const struct trainer_settings *s)
{
	const struct config *c = s->l->c;
	struct loader_told *told = s->l->command ? s->l->command->told : NULL;

	if (!told)
		return;
	told->dialect = s->d;
	told->flags = s->d->words != WORDS_DOTS && !s->path && !s->l->command->config_file;
	option_text(c, OPTION_steps, told->steps, sizeof(told->steps));
	option_text(c, OPTION_schedule, told->schedule, sizeof(told->schedule));
	option_text(c, OPTION_ranks, told->ranks, sizeof(told->ranks));
	option_text(c, OPTION_roles, told->roles, sizeof(told->roles));
}

static int read_all(struct trainer_settings *s, const char *text, size_t length)
{
	int err;

	if (tree_begin(&s->tree)) {
		err = lay_all(s, text, length);
		if (!err)
			choose_by_profiler(s);
		err = err ? err : trainer_settings_apply(s);
		if (!err)
			keep_told(s);
	} else {
		err = refuse(s->l->error, s->l->size, "no memory to read %s's settings", s->d->of);
	}
	tree_end(&s->tree);
	return err;
}

/* The command's words go before its file, and are left out of that of another trainer. */
int trainer_read(struct loader *l, const char *path, const char *text, size_t length)
{
	struct trainer_settings s = { .l = l, .path = path };
	struct loader_command *command = l->command, without;
	int err = trainer_whose(l, path, text, length, &s.d, &s.bare);

	if (err || !s.d) {
		if (!err)
			l->error[0] = '\0';
		return err ? err : DIALECT_OTHER;
	}
	if (command && command->words && command->dialect && command->dialect->keys == s.d->keys) {
		s.d = command->dialect;
	} else if (command && command->words) {
		trainer_settings_say(&s, "%s: it is %s's, and the command another trainer's: the file counts", path, s.d->of);
		without = *command;
		without.words = NULL;
		without.config_file = NULL;
		l->command = &without;
	}
	err = read_all(&s, text, length);
	l->command = command;
	return err;
}

int trainer_settings_words(struct loader *l)
{
	struct trainer_settings s = { .l = l, .d = l->command->dialect };

	return read_all(&s, NULL, 0);
}
