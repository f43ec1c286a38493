#include "analysis/launch/shell_script.h"

#include <stddef.h>
#include <string.h>

#include "analysis/launch/program.h"
#include "analysis/launch/shell_words.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}

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

	return is_one_of(base_name(word), shells);
}

static bool is_python_file(const char *word)
{
	return ends_with(word, ".py") && *word != '-';
}

static bool is_line(const char *word)
{
	return strpbrk(word, " \t\n");
}

/* ---- scripts ---- */

/* Behind the shell and its options; NULL: it reads a line (-c), or from its standard input. */
static const char *behind_shell(char *const *word)
{
	for (word++; *word && **word == '-'; word++) {
		if ((*word)[1] != '-' && strchr(*word, 'c'))
			return NULL;
		if ((*word)[1] != '-' && ends_with(*word, "o") && word[1])
			word++; /* -o pipefail */
	}
	return *word;
}

/* What stands behind a program of Python's is its own. */
static const char *script_in(char *const *command)
{
	for (; *command && !is_python_file(*command); command++) {
		if (is_shell(*command))
			return behind_shell(command);
		if (ends_with(*command, ".sh") && **command != '-' && !is_line(*command))
			return *command;
	}
	return NULL;
}

static bool has_python_file(char *const *command)
{
	for (; *command; command++)
		if (is_python_file(*command))
			return true;
	return false;
}

/* One that is called by its path, whatever its name; launchers are scripts, too, with a program behind. */
static const char *script_by_path(char *const *command)
{
	static struct program p;

	if (!strchr(command[0], '/') || is_shell(command[0]) || has_python_file(command))
		return NULL;
	program_inspect(&p, command[0]);
	return is_shell(p.path) ? command[0] : NULL;
}

/* ---- lines ---- */

static bool starts_python(const char *word)
{
	static const char *const names[] = { "torchrun", "accelerate", "deepspeed", NULL };
	const char *name = base_name(word);

	return is_python_file(word) || !strncmp(name, "python", strlen("python")) || !strncmp(name, "pypy", strlen("pypy")) || is_one_of(name, names);
}

/* A program in a variable may be anything; the line's own arguments are words of the command. */
static bool has_variables(char *const *command)
{
	bool python = **command == '$' && strcmp(*command, "$@") && strcmp(*command, "$*"), variable = false;

	for (; *command; command++) {
		python |= starts_python(*command);
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
	bool found = false;

	*script = NULL;
	if (!shell_words(&s, line))
		return false;
	for (size_t i = 0; !found && i < s.count; i++) {
		char **command = s.words + i;

		if (!*command || (i && s.words[i - 1]))
			continue;
		*script = is_read_in(*command) ? NULL : script_in(command);
		found = *script || has_variables(command);
	}
	return found;
}

/* Of python -c. */
static bool is_pythons_own(char *const *command, int i)
{
	return i > 1 && ends_with(command[i - 1], "c") && strstr(command[i - 2], "python");
}

bool shell_script_find(char *const *command, const char **script)
{
	for (int i = 0; command[i] && !is_python_file(command[i]); i++)
		if (is_line(command[i]) && !is_pythons_own(command, i) && find_in_line(command[i], script))
			return true;
	*script = script_in(command);
	if (!*script && command[0])
		*script = script_by_path(command);
	return *script;
}
