#include "analysis/launch/shell_script.h"

#include <stddef.h>
#include <string.h>

#include "agent/base/text.h"
#include "analysis/launch/command_words.h"
#include "analysis/launch/program.h"
#include "analysis/launch/shell_words.h"

static bool is_one_of(const char *word, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(word, *names))
			return true;
	return false;
}

static bool is_shell(const char *word)
{
	static const char *const shells[] = { "sh", "bash", "dash", "ash", "ksh", "zsh", NULL };

	return is_one_of(text_basename(word), shells);
}

/* ---- scripts ---- */

/* Behind the shell and its options; NULL: it reads a line (-c), or from its standard input. */
static const char *behind_shell(char *const *word)
{
	for (word++; *word && **word == '-'; word++) {
		if ((*word)[1] != '-' && strchr(*word, 'c'))
			return NULL;
		if ((*word)[1] != '-' && word_ends(*word, "o") && word[1])
			word++; /* -o pipefail */
	}
	return *word;
}

/* What stands behind a program of Python's is its own. */
static const char *script_in(char *const *command)
{
	bool module;
	char *const *program = command_program(command, &module);

	for (; *command && command != program; command++) {
		if (is_shell(*command))
			return behind_shell(command);
		if (word_ends(*command, ".sh") && **command != '-' && !word_is_line(*command))
			return *command;
	}
	return NULL;
}

/* One that is called by its path, whatever its name; launchers are scripts, too, with a program behind. */
static const char *script_by_path(char *const *command)
{
	static struct program p;
	bool module;

	if (!strchr(command[0], '/') || is_shell(command[0]) || command_program(command, &module))
		return NULL;
	program_inspect(&p, command[0]);
	return is_shell(p.path) ? command[0] : NULL;
}

/* ---- lines ---- */

/* A program in a variable may be anything; the line's own arguments are words of the command. */
static bool has_variables(char *const *command)
{
	bool python = **command == '$' && strcmp(*command, "$@") && strcmp(*command, "$*"), variable = false;

	for (; *command; command++) {
		python |= word_is_python_file(*command) || word_starts_python(*command);
		variable |= strpbrk(*command, "$`") != NULL;
	}
	return python && variable;
}

/* What is read into the shell itself sets up what the line runs. */
static bool is_read_in(const char *word)
{
	return !strcmp(word, ".") || !strcmp(word, "source");
}

static bool find_in_line(const char *line, const char **script)
{
	static struct shell_words s;
	char *const *command = NULL;
	bool found = false;

	*script = NULL;
	if (!shell_words(&s, line))
		return false;
	while (!found && (command = shell_words_next(&s, command))) {
		*script = is_read_in(*command) ? NULL : script_in(command);
		found = *script || has_variables(command);
	}
	return found;
}

bool shell_script_find(char *const *command, const char **script)
{
	bool module;
	char *const *program = command_program(command, &module);

	for (int i = 0; command[i] && command + i != program; i++)
		if (word_is_line(command[i]) && !command_is_pythons_line(command, i) && find_in_line(command[i], script))
			return true;
	*script = script_in(command);
	if (!*script && command[0])
		*script = script_by_path(command);
	return *script;
}
