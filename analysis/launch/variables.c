#include "analysis/launch/variables.h"

#include <stdio.h>
#include <string.h>

#include "config/option.h"

#define SETTING_TEXT 8192
_Static_assert(CONFIG_RANGES * sizeof("9007199254740992-9007199254740992,") < SETTING_TEXT, "the longest setting is a list");

/* Most values need no quotes. */
static bool is_plain(const char *text)
{
	return !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				  "_-+=:,./@%")];
}

void variables_put_value(FILE *out, const char *text, bool plain)
{
	if (plain || is_plain(text)) {
		fputs(text, out);
		return;
	}
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fputc(*text, out);
	}
	fputc('\'', out);
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
