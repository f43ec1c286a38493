#include "analysis/launch/trainer_dialect.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/text.h"
#include "analysis/launch/command_words.h"
#include "analysis/launch/file_start.h"
#include "analysis/launch/preset_choice.h"
#include "config/load/trainer_settings.h"

#define PROGRAM_BYTES (64 << 10)

/* A program of Python's in a command. */
struct program_found {
	const char *word; /* train.py, or package.module */
	bool module;
	char *const *words;	  /* its own */
	char text[PROGRAM_BYTES]; /* its file, as far as it can be read, or the module's name */
};

/* ---- the program ---- */

static void read_text(struct program_found *p)
{
	if (p->module || !file_start(p->word, p->text, sizeof(p->text)))
		snprintf(p->text, sizeof(p->text), "%s", p->word);
}

static bool find_program(struct program_found *p, char *const *command)
{
	char *const *program = command_program(command, &p->module);

	if (!program)
		return false;
	p->word = *program;
	p->words = program + 1;
	read_text(p);
	return true;
}

/* ---- whose it is ---- */

/* --profile, or what begins with it; NULL: no such word. */
static const char *flag_of(const struct program_found *p, const char *begin)
{
	for (char *const *word = p->words; *word; word++)
		if (text_starts(*word, begin))
			return *word;
	return NULL;
}

static bool is_named(const struct program_found *p, const char *name)
{
	const char *last = p->module && strrchr(p->word, '.') ? strrchr(p->word, '.') + 1 : text_basename(p->word);

	return text_starts(last, name) && (!last[strlen(name)] || !strcmp(last + strlen(name), ".py"));
}

/* By one of its texts: the program's own, or the preset that was typed. */
static const char *by_text(const struct program_found *p, const char *text)
{
#define TRAINER_PROGRAM(name, sign, dialect)         \
	if (strstr(text, sign) && is_named(p, name)) \
		return dialect;
#define TRAINER_SIGN(sign, dialect) \
	if (strstr(text, sign))     \
		return dialect;
#include "analysis/launch/trainer_signs.def"
	return NULL;
}

/* Presets are called as packages, with a dash. */
static const char *by_preset(const struct program_found *p, const char *preset)
{
	char text[64];

	snprintf(text, sizeof(text), "%s", preset ? preset : "");
	for (char *c = text; *c; c++)
		if (*c == '-')
			*c = '_';
	return by_text(p, text);
}

static const char *by_folder(const struct program_found *p)
{
	static const char *const rows[][2] = {
#define TRAINER_FOLDER(folder, dialect) { folder, dialect },
#include "analysis/launch/trainer_signs.def"
	};
	int beside = p->module ? 0 : (int)(text_basename(p->word) - p->word);
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(path, sizeof(path), "%.*s%s", beside, p->word, rows[i][0]);
		if (!access(path, F_OK))
			return rows[i][1];
	}
	return NULL;
}

/* By flags that one of them has. */
static const char *by_word(const struct program_found *p)
{
	if (flag_of(p, "--training.profile"))
		return "mindspeed-llm-fsdp2";
	return flag_of(p, "profiler_config.integrated") || flag_of(p, "++profiler_config.integrated") ? by_text(p, "mindspeed_rl") : NULL;
}

/* By what is installed: the surer one first. */
static const char *by_package(const struct loader_command *c)
{
	if (c->is_there("mindspeed_llm"))
		return "mindspeed-llm";
	return c->is_there("megatron-core") ? "megatron" : NULL;
}

/* Flags that only the trainers of this table have. */
static const char *telling_flag(const struct program_found *p)
{
	static const char *const flags[] = { "--profile-step-start", "--profile-step-end", "--profile-ranks", "--use-pytorch-profiler" };
	const char *found = NULL;

	for (size_t i = 0; !found && i < sizeof(flags) / sizeof(flags[0]); i++)
		found = flag_of(p, flags[i]);
	return found;
}

static const char *name_of(const struct loader_command *c, const struct program_found *p)
{
	const char *name = by_word(p);

	name = name ? name : by_preset(p, c->preset);
	name = name ? name : by_text(p, p->text);
	name = name || !telling_flag(p) ? name : by_folder(p);
	name = name || !telling_flag(p) ? name : by_package(c);
	if (!name || strcmp(name, "megatron"))
		return name;
	if (strstr(p->text, "mindspeed") || flag_of(p, "--profile-level") || flag_of(p, "--profile-with-") || flag_of(p, "--profile-export-type"))
		return "mindspeed";
	return flag_of(p, "--use-pytorch-profiler") ? "megatron-torch" : name;
}

/* ---- what its words name ---- */

/* `--config-name X`, `--config-name=X`, `-cn X` of Hydra; of several the last one counts. NULL: it is not among the words. */
static const char *value_of(char *const *words, const char *flag, const char *letters)
{
	size_t length = strlen(flag);
	const char *value = NULL;

	for (; *words; words++) {
		if (!strcmp(*words, flag) || !strcmp(*words, letters))
			value = words[1];
		else if (!strncmp(*words, flag, length) && (*words)[length] == '=')
			value = *words + length + 1;
	}
	return value;
}

/* what: as the command has it; instead: what to give where it cannot be read. */
static void take_file(struct loader_command *c, const char *path, const char *what, const char *instead)
{
	static char kept[PATH_MAX];
	char line[1024], why[128] = "is not found";

	snprintf(kept, sizeof(kept), "%s", path);
	if (!access(kept, R_OK)) {
		c->config_file = kept;
		return;
	}
	if (errno != ENOENT)
		snprintf(why, sizeof(why), "cannot be read (%s)", strerror(errno));
	snprintf(line, sizeof(line), "%.512s: its file %s, and its settings are not seen: %s", what, why, instead);
	c->say(line);
}

static void take_named_file(struct loader_command *c, const char *path, const char *what)
{
	take_file(c, path, what, "name it, --config FILE");
}

/* Folders are told from the one that the program is in. */
static void find_by_name(struct loader_command *c, const struct program_found *p)
{
	const char *name = value_of(c->words, "--config-name", "-cn"), *folder = value_of(c->words, "--config-path", "-cp");
	int beside = folder && *folder == '/' ? 0 : (int)(text_basename(p->word) - p->word);
	char path[PATH_MAX], what[600];

	if (!name)
		return;
	snprintf(path, sizeof(path), "%.*s%s/%s%s", beside, p->word, folder ? folder : "../configs", name, word_ends(name, ".yaml") ? "" : ".yaml");
	snprintf(what, sizeof(what), "--config-name %.512s", name);
	take_named_file(c, path, what);
}

/* Megatron's own: of the command's flags none counts beside it. */
static const char *yaml_of(const struct program_found *p)
{
	return value_of(p->words, "--yaml-cfg", "--yaml-cfg");
}

static void find_instead(struct loader_command *c, const char *file)
{
	static char *const none[] = { NULL };
	char what[600];

	c->words = none;
	c->off_words[0] = '\0';
	snprintf(what, sizeof(what), "--yaml-cfg %.512s", file);
	take_file(c, file, what, "give --steps and --ranks");
}

static void find_file(struct loader_command *c, const struct program_found *p)
{
	const char *first = c->words[0];

	if (c->dialect->words == WORDS_DOTS)
		find_by_name(c, p);
	else if (c->dialect->words == WORDS_DOTTED_FLAGS && first && (word_ends(first, ".yaml") || word_ends(first, ".yml")))
		take_named_file(c, first, first);
	else if (c->dialect->words == WORDS_FLAGS && yaml_of(p))
		find_instead(c, yaml_of(p));
}

/* ---- all ---- */

/* Of flags the version is of no matter where none is the profiler's. */
static const struct trainer_dialect *dialect_of(struct loader_command *c, const struct program_found *p, const char *name)
{
	const struct trainer_dialect *newest = trainer_dialect(name, NULL);

	return newest->words != WORDS_FLAGS || flag_of(p, "--profile") || yaml_of(p) ? trainer_dialect_there(c, name) : newest;
}

bool trainer_dialect_is_known(const struct loader_command *c, char *const *command)
{
	static struct program_found p;

	return find_program(&p, command) && (name_of(c, &p) || telling_flag(&p));
}

bool trainer_dialect_find(struct loader_command *c, char *const *command)
{
	static struct program_found p;
	const char *name, *flag;

	if (!find_program(&p, command))
		return false;
	preset_program(p.word, p.module);
	name = name_of(c, &p);
	flag = telling_flag(&p);
	if (name) {
		c->words = p.words;
		c->dialect = dialect_of(c, &p, name);
		snprintf(c->off_words, sizeof(c->off_words), "%s", c->dialect->off);
		find_file(c, &p);
		return true;
	}
	if (flag)
		snprintf(c->problem, sizeof(c->problem), "%.64s: whose it is cannot be told of %.256s: name it, --preset mindspeed-llm or --preset megatron", flag, p.word);
	return flag;
}
