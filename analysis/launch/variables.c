#include "analysis/launch/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/util/shell_word.h"
#include "config/option.h"

#define SETTING_TEXT 8192
_Static_assert(CONFIG_RANGES * sizeof("9007199254740992-9007199254740992,") < SETTING_TEXT, "the longest setting is a list");

void variables_put_value(FILE *out, const char *text, bool plain)
{
	char *word = plain || !*text ? NULL : shell_word(text);

	fputs(word ? word : text, out);
	free(word);
}

/* step_start and step_end are folded into steps; their own variables must not speak again. */
static bool is_folded(unsigned int id)
{
	return id == OPTION_step_start || id == OPTION_step_end;
}

/* What ranktrace-run alone has a use for is not for who starts the processes himself. */
void variables_print(const struct config *c, bool plain, bool inner)
{
	static char text[SETTING_TEXT];
	char name[OPTION_NAME];

	for (unsigned int id = 0; id < OPTIONS; id++) {
		if (!options[id].help && !inner)
			continue;
		option_text(c, id, text, sizeof(text));
		option_variable(options[id].key, name);
		printf("%s=", name);
		if (is_folded(id))
			text[0] = '\0';
		variables_put_value(stdout, text, plain);
		putchar('\n');
	}
	if (inner)
		fputs("RANKTRACE_RESOLVED=1\n", stdout);
}
