/* trainer_settings.c - whose settings a file or a command speaks, and the tree of what was said. */
#include "config/load/trainer_settings.h"
#include <ctype.h>
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

static const struct trainer_dialect dialects[] = {
#define TRAINER_DIALECT(dialect, family, ...) { .name = dialect, .keys = KEYS_##family, __VA_ARGS__ },
#include "config/load/trainer_settings.def"
};
#define DIALECTS (sizeof(dialects) / sizeof(dialects[0]))

const struct trainer_key trainer_key_rows[] = {
#define TRAINER_KEY(family, key, meaning, default) { KEYS_##family, key, MEANS_##meaning, default },
#include "config/load/trainer_settings.def"
	{ 0 }
};

const struct trainer_dialect *trainer_dialect(const char *name, const char *version)
{
	const struct trainer_dialect *found = NULL;

	for (const struct trainer_dialect *d = dialects; d < dialects + DIALECTS; d++)
		if (!strcmp(d->name, name) && (!found || !d->from || !version || !*version || version_is_at_least(version, d->from)))
			found = d;
	return found;
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

/* ---- whose file it is ---- */

static const struct node *find(const struct tree *t, const char *path)
{
	return tree_find(t, path, strlen(path));
}

bool trainer_is_profilers(const char *key)
{
	size_t length = strlen("profile");

	return !strncmp(key, "profile", length) && (!key[length] || key[length] == '_' || key[length] == '-');
}

static bool has_profilers_keys(const struct node *map)
{
	for (const struct node *n = map->shape == SHAPE_MAP ? map->first : NULL; n; n = n->next)
		if (trainer_is_profilers(n->key))
			return true;
	return false;
}

/* Trees of others are often called so: only one that says something of a profiler is a reason to doubt another's file. */
static bool is_marked(const struct tree *t, const struct trainer_dialect *d, bool beyond_doubt)
{
	const struct node *n = d->tree ? find(t, d->tree) : NULL;

	return n && n->shape == SHAPE_MAP && (d->everything || !beyond_doubt || has_profilers_keys(n));
}

/* The dialect that is marked in the tree, behind this one; rows of one tree count once. */
static const struct trainer_dialect *next_marked(const struct tree *t, const struct trainer_dialect *d, bool beyond_doubt)
{
	const char *before = d ? d->tree : NULL;

	for (d = d ? d + 1 : dialects; d < dialects + DIALECTS; d++)
		if (is_marked(t, d, beyond_doubt) && !(before && !strcmp(before, d->tree)))
			return d;
	return NULL;
}

static int refuse_two(struct loader *l, const char *path, const struct node *one, const char *of, const struct node *other, const char *of_other)
{
	return refuse(l->error, l->size, "%s:%lu: %s is %s's, and %s (line %lu) is %s's: keep one of them in a file", path, one->line, one->key, of,
		      other->key, other->line, of_other);
}

/* The nodes at the top of the trees. */
static const struct node *top_of(const struct tree *t, const struct trainer_dialect *d)
{
	return tree_child(t->root, d->tree, strcspn(d->tree, "."));
}

static int find_marked(struct loader *l, const char *path, const struct tree *t, const struct trainer_dialect **d)
{
	const struct node *others = tree_child(t->root, "global_profiler", strlen("global_profiler"));
	const struct trainer_dialect *second;

	*d = next_marked(t, NULL, true);
	if (!*d)
		*d = others ? NULL : next_marked(t, NULL, false);
	if (*d && others)
		return refuse_two(l, path, top_of(t, *d), (*d)->of, others, "verl");
	second = *d ? next_marked(t, *d, true) : NULL;
	return second ? refuse_two(l, path, top_of(t, *d), (*d)->of, top_of(t, second), second->of) : 0;
}

/* Without a tree around them keys do not tell whose they are, unless one is there that a single trainer has. */
static int find_bare(struct loader *l, const char *path, const struct tree *t, const struct trainer_dialect **d)
{
	const char *wanted = l->command && l->command->preset ? l->command->preset : "";
	const struct node *n = t->root->first;

	while (n && !trainer_is_profilers(n->key))
		n = n->next;
	if (!n || tree_child(t->root, "actor_rollout_ref", strlen("actor_rollout_ref")))
		return 0;
	for (const struct trainer_dialect *bare = dialects; bare < dialects + DIALECTS && !*d; bare++)
		if (bare->tree && (!strcmp(wanted, bare->preset) || (bare->alone && tree_child(t->root, bare->alone, strlen(bare->alone)))))
			*d = bare;
	if (!*d)
		return refuse(l->error, l->size, "%s:%lu: whose is %.64s? Of MindSpeed-LLM's FSDP2 write it below training:, of MindSpeed-RL below "
						 "profiler_config: and integrated:",
			      path, n->line, n->key);
	return 0;
}

/* `roles:['generate']` is one word to YAML. */
static int refuse_without_blank(struct loader *l, const char *path, const char *text)
{
	unsigned long line = 1;
	size_t blanks, word;

	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n', line++) {
		blanks = strspn(p, " \t");
		word = 0;
		while (isalnum((unsigned char)p[blanks + word]) || p[blanks + word] == '_')
			word++;
		p += blanks;
		if (word && p[word] == ':' && p[word + 1] && strchr("[{'\"", p[word + 1]))
			return refuse(l->error, l->size, "%s:%lu: no blank behind the ':': write %.*s: %.*s", path, line, shown((int)word), p,
				      shown((int)strcspn(p + word + 1, "\r\n")), p + word + 1);
	}
	return -EINVAL;
}

/* NULL in *d: none of these. A file that cannot be read is whose it was so far. */
static int find_dialect(struct loader *l, const char *path, const char *text, size_t length, const struct trainer_dialect **d, bool *bare)
{
	struct tree t;
	int err = 0, unreadable;

	*d = NULL;
	*bare = false;
	if (!tree_begin(&t)) {
		tree_end(&t);
		return refuse(l->error, l->size, "%s: no memory to read it", path);
	}
	unreadable = tree_read(&t, t.root, l, path, text, length);
	if (t.root->shape == SHAPE_MAP)
		err = find_marked(l, path, &t, d);
	if (*d && !err && unreadable)
		err = refuse_without_blank(l, path, text);
	else if (!err && !unreadable && !*d && t.root->shape == SHAPE_MAP) {
		err = find_bare(l, path, &t, d);
		*bare = *d;
	}
	tree_end(&t);
	return err;
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

/* A file speaks one language: whoever mixes them would not be told what counts. */
static int refuse_ours(const struct trainer_settings *s, const char *path, const struct node *file)
{
	for (const struct node *n = file->first; n; n = n->next)
		if (option_find(n->key) < OPTIONS)
			return refuse(s->l->error, s->l->size, "%s:%lu: %.64s is no key of %s's: write it on the command line, or in a file of its own",
				      path, n->line, n->key, s->d->of);
	return 0;
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
	if (path == s->path && refuse_ours(s, path, n))
		return -EINVAL;
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
	s->keys = *base ? find(&s->tree, base) : s->tree.root;
	return err;
}

/* With PyTorch's profiler Megatron's numbers mean other steps; of words the command's look-up has asked already. */
static void choose_by_profiler(struct trainer_settings *s)
{
	const struct loader_command *command = s->l->command;
	const struct node *n = command && command->config_file && s->keys ? below((struct node *)s->keys, "use_pytorch_profiler") : NULL;

	if (n && n->shape == SHAPE_SCALAR && !strcasecmp(n->text, "true") && !strcmp(s->d->name, "megatron"))
		s->d = trainer_dialect("megatron-torch", command->version(s->d->package));
}

static int read_all(struct trainer_settings *s, const char *text, size_t length)
{
	int err;

	if (tree_begin(&s->tree)) {
		err = lay_all(s, text, length);
		if (!err)
			choose_by_profiler(s);
		err = err ? err : trainer_settings_apply(s);
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
	int err = find_dialect(l, path, text, length, &s.d, &s.bare);

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
