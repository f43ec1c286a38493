/* trainer.c - `python -m verl.trainer.main_ppo a.b=1 ...`, or its file, wherever it stands in the command. */
#include "analysis/launch/trainer.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/text.h"
#include "analysis/launch/command_words.h"
#include "analysis/launch/file_start.h"
#include "analysis/launch/preset_choice.h"
#include "analysis/launch/shell_words.h"
#include "analysis/launch/trainer_dialect.h"

enum program {
	PROGRAM_OTHER,
	PROGRAM_KNOWN,	/* its settings begin with verl's */
	PROGRAM_RECIPE, /* it has some of its own beside them */
};

/* ---- which program ---- */

/* verl.trainer.main_ppo of both verl.trainer.main_ppo and verl/trainer/main_ppo.py */
static void module_name(const char *word, char *name, size_t size)
{
	snprintf(name, size, "%s", word);
	if (!word_ends(name, ".py"))
		return;
	name[strlen(name) - strlen(".py")] = '\0';
	for (char *slash = strchr(name, '/'); slash; slash = strchr(slash, '/'))
		*slash = '.';
}

static enum program kind_of(const char *word, const char *before)
{
	static const struct {
		const char *module, *name;
	} known[] = {
#define TRAINER(place, program) { place "." program, program },
#include "analysis/launch/trainers.def"
#undef TRAINER
	};
	bool file = word_is_python_file(word), joined = text_starts(word, "-m") && word[2];
	const char *last;
	char name[PATH_MAX];

	if (!file && !joined && !(before && word_is_module_flag(before)))
		return PROGRAM_OTHER;
	module_name(joined ? word + 2 : word, name, sizeof(name));
	last = strrchr(name, '.');
	last = last ? last + 1 : name;
	if ((text_starts(name, "recipe.") || strstr(name, ".recipe.") || strstr(name, "verl.experimental.")) && (text_starts(last, "main_") || word_ends(last, "_main")))
		return PROGRAM_RECIPE;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(file ? last : name, file ? known[i].name : known[i].module))
			return PROGRAM_KNOWN;
	return PROGRAM_OTHER;
}

/* ---- what its words name ---- */

/* Hydra's own options: `--config-name X`, `--config-name=X`, `-cn X`; of several the last one counts. NULL: it is not among the words. */
static const char *option_value(char *const *words, const char *flag, const char *letters)
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

/* The part of the profilers is the same in all of them. */
static bool is_released(const char *file)
{
	return word_ends(file, "ppo_trainer") || word_ends(file, "ppo_megatron_trainer");
}

/* A relative folder is beside the program's file; where a module's is, only its Python knows. */
static bool find_file(const char *folder, const char *name, const char *program, char *path, size_t size)
{
	int beside = folder && *folder != '/' ? (int)(text_basename(program) - program) : 0;

	if (!folder || (*folder != '/' && !word_ends(program, ".py")))
		return false;
	snprintf(path, size, "%.*s%s/%s%s", beside, program, folder, name, word_ends(name, ".yaml") ? "" : ".yaml");
	return !access(path, R_OK);
}

static void find_config_file(struct loader_command *c, const char *program, enum program kind)
{
	static char path[PATH_MAX];
	const char *name = option_value(c->words, "--config-name", "-cn");
	const char *folder = option_value(c->words, "--config-path", "-cp"), *more = option_value(c->words, "--config-dir", "-cd");
	char line[1024] = "";

	if (name && (find_file(folder, name, program, path, sizeof(path)) || find_file(more, name, program, path, sizeof(path))))
		c->config_file = path;
	else if (name && !is_released(name))
		snprintf(line, sizeof(line), "--config-name %.256s: its file is not found, and verl's defaults count instead: name it, --config FILE", name);
	else if (!name && kind == PROGRAM_RECIPE)
		snprintf(line, sizeof(line), "%.256s: its own settings are not seen beside the command's words, and verl's defaults count: "
					     "name their file, --config FILE",
			 program);
	if (*line)
		c->say(line);
}

/* Other projects have a main_ppo.py, too. */
static bool is_verls(const char *program)
{
	return strstr(program, "verl.trainer.") || strstr(program, "verl/trainer/") || strstr(program, "verl.experimental.") ||
	       strstr(program, "verl/experimental/");
}

static bool has_verls_word(char *const *words)
{
	for (; *words; words++)
		if (strstr(*words, "actor_rollout_ref.") || strstr(*words, "global_profiler."))
			return true;
	return false;
}

/* *behind: where its own words begin. */
static enum program kind_of_command(char *const *command, int *behind)
{
	enum program kind = PROGRAM_OTHER;
	int i;

	for (i = 0; command[i] && kind == PROGRAM_OTHER; i++)
		kind = kind_of(command[i], i ? command[i - 1] : NULL);
	*behind = i;
	return kind == PROGRAM_OTHER || is_verls(command[i - 1]) || has_verls_word(command + i) ? kind : PROGRAM_OTHER;
}

bool trainer_is_known(char *const *command)
{
	int behind;

	return kind_of_command(command, &behind) != PROGRAM_OTHER;
}

static bool find_verl(struct loader_command *c, char *const *command)
{
	int i;
	enum program kind = kind_of_command(command, &i);

	if (kind == PROGRAM_OTHER)
		return false;
	c->words = command + i;
	preset_program(command[i - 1], !word_ends(command[i - 1], ".py"));
	snprintf(c->off_words, sizeof(c->off_words), "global_profiler.tool=null");
	find_config_file(c, command[i - 1], kind);
	return true;
}

static bool find_any(struct loader_command *c, char *const *command)
{
	return find_verl(c, command) || trainer_dialect_find(c, command);
}

static bool is_any(const struct loader_command *c, char *const *command)
{
	return trainer_is_known(command) || trainer_dialect_is_known(c, command);
}

/* Does it say something of a profiler? Programs that prepare what another one trains with have its marks, and no such word. */
static bool speaks(char *const *command)
{
	for (; *command; command++) {
		const char *word = *command + strspn(*command, "+-~");

		if (text_starts(word, "profile") || text_starts(word, "training.profile") || strstr(word, "profiler.") || strstr(word, "profiler_config.") ||
		    text_starts(word, "config-name") || text_starts(word, "yaml-cfg") || word_ends(word, ".yaml") || word_ends(word, ".yml"))
			return true;
	}
	return false;
}

/* The next of the line's commands that has been said so much; NULL: there is none. */
static char *const *next_command(const struct shell_words *s, char *const *before, bool that_speaks)
{
	char *const *command = shell_words_next(s, before);

	while (command && speaks(command) != that_speaks)
		command = shell_words_next(s, command);
	return command;
}

/* All processes of the line have the same settings. */
static void tell_of_others(const struct loader_command *c, const struct shell_words *s, char *const *found)
{
	while ((found = next_command(s, found, true)))
		if (is_any(c, found)) {
			c->say("of several trainers in the shell's line the first that says what to profile counts for all: for settings of its own put ranktrace-run before each");
			return;
		}
}

static bool goes_elsewhere(const struct shell_words *s)
{
	char *const *command = NULL;

	while ((command = shell_words_next(s, command)))
		if (!strcmp(*command, "cd") || !strcmp(*command, "pushd"))
			return true;
	return false;
}

/* Behind `sh -c`, and behind what else takes a line: each of its commands, those first that say something of a profiler. */
static bool find_in_line(struct loader_command *c, const char *line)
{
	static struct shell_words s;
	char *const *command = NULL;

	if (!word_is_line(line) || !shell_words(&s, line))
		return false;
	if (goes_elsewhere(&s))
		preset_moves();
	for (int speaking = 1; !c->in_shell_line && speaking >= 0; speaking--) {
		while (!c->in_shell_line && (command = next_command(&s, command, speaking)))
			c->in_shell_line = find_any(c, command);
		if (c->in_shell_line && speaking)
			tell_of_others(c, &s, command);
	}
	return c->in_shell_line;
}

void trainer_find(struct loader_command *c, char *const *command)
{
	bool found = find_any(c, command);

	for (int i = 0; !found && command[i]; i++)
		found = !command_is_pythons_line(command, i) && find_in_line(c, command[i]);
}

#define SCRIPT_BYTES (64 << 10)

static const char *mentioned_in(const char *text)
{
#define TRAINER_MENTION(words, trainer) \
	if (strstr(text, words))        \
		return trainer;
#include "analysis/launch/trainer_signs.def"
	return NULL;
}

static const char *mentioned_in_script(const char *path)
{
	static char text[SCRIPT_BYTES];

	return word_ends(path, ".sh") && file_start(path, text, sizeof(text)) ? mentioned_in(text) : NULL;
}

const char *trainer_mentioned(char *const *command)
{
	const char *trainer = NULL;

	for (; !trainer && *command; command++) {
		trainer = mentioned_in(*command);
		trainer = trainer ? trainer : mentioned_in_script(*command);
	}
	return trainer;
}
