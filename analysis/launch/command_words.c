#include "analysis/launch/command_words.h"

#include <stddef.h>
#include <string.h>

#include "agent/base/text.h"

bool word_ends(const char *word, const char *end)
{
	size_t length = strlen(word), tail = strlen(end);

	return length >= tail && !strcmp(word + length - tail, end);
}

bool word_is_python_file(const char *word)
{
	return word_ends(word, ".py") && *word != '-';
}

bool word_starts_python(const char *word)
{
	const char *name = text_basename(word);

	return text_starts(name, "python") || text_starts(name, "pypy") || text_starts(name, "torchrun") || !strcmp(name, "accelerate") ||
	       !strcmp(name, "deepspeed");
}

bool word_is_module_flag(const char *word)
{
	return word[0] == '-' && word[1] != '-' && word_ends(word, "m");
}

bool word_is_line(const char *word)
{
	return strpbrk(word, " \t\n");
}

bool command_is_pythons_line(char *const *command, int i)
{
	return i > 1 && word_ends(command[i - 1], "c") && strstr(command[i - 2], "python");
}

/* What starts others. */
static bool is_launcher(const char *module)
{
	return text_starts(module, "torch.distributed.") || text_starts(module, "accelerate.") || text_starts(module, "deepspeed.");
}

char *const *command_program(char *const *command, bool *module)
{
	bool python = false;

	for (; *command; command++) {
		*module = python && word_is_module_flag(*command) && command[1] && !is_launcher(command[1]);
		if (*module || word_is_python_file(*command))
			return command + *module;
		python |= word_starts_python(*command);
	}
	return NULL;
}
