/* fuzz_arguments.c - `ranktrace env` with any words: one per line of the input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/commands/commands.h"
#include "tests/fuzz/fuzz.h"

#define WORDS 80

/* NAME='text' with no quote of its own inside: what ranktrace-run gives to eval. */
static const char *assignment(const char *line)
{
	line += strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	if (*line++ != '=')
		return NULL;
	while (*line && *line != '\n') {
		if (*line == '\'')
			line = strchr(line + 1, '\'');
		else if (*line == '\\')
			line++;
		else if (strchr("$`\"&|;<>()*?[ \t", *line))
			return NULL;
		if (!line || !*line)
			return NULL;
		line++;
	}
	return *line ? line + 1 : NULL;
}

static void check_output(const char *text)
{
	if (!strncmp(text, "cat <<", 6))
		return;
	while (text && *text)
		text = assignment(text);
	fuzz_promise(text, "every line is a variable that a shell can evaluate");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *rest = NULL, *argv[WORDS + 2] = { "env" };
	const char *printed;
	int argc = 1, rc;
	size_t length;

	for (char *w = strtok_r(text, "\n", &rest); w && argc < WORDS; w = strtok_r(NULL, "\n", &rest))
		argv[argc++] = w;
	fuzz_output_begin();
	rc = cmd_env(argc, argv);
	printed = fuzz_output_end(&length);
	fuzz_promise(rc == 0 || rc == EXIT_USAGE, "the exit status is 0 or 2");
	fuzz_promise(rc || length, "success prints something");
	if (rc)
		fuzz_promise(!length, "a refusal leaves standard output empty");
	else if (argc > 1 && !strcmp(argv[1], "--script"))
		check_output(printed);
	free(text);
	return 0;
}
