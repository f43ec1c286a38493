/* trainer_cases.h - reads tests/data/trainer_settings.txt: settings of trainers, and what they come to. */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct trainer_case {
	unsigned int line;	       /* of the data file, to name it by */
	char dialect[64], version[32]; /* of words; empty: a file */
	char preset[32];	       /* that was typed */
	char text[8192];
	char comes_to[2048];
	char said[4096];
};

static bool trainer_begins(struct trainer_case *c, char *line)
{
	c->text[0] = c->said[0] = c->dialect[0] = c->version[0] = c->preset[0] = '\0';
	if (sscanf(line, "words %63s %31[^:]: ", c->dialect, c->version) == 2) {
		snprintf(c->text, sizeof(c->text), "%s", strstr(line, ": ") + 2);
		return true;
	}
	if (sscanf(line, "file --preset %31[^:]:", c->preset) == 1 || !strncmp(line, "file:", 5)) {
		snprintf(c->text, sizeof(c->text), "%s", strchr(line, ':') + 1 + strspn(strchr(line, ':') + 1, " \n"));
		return true;
	}
	return false;
}

/* Settings, lines that are said (=> !), and what they come to (=>), which ends it. False: the end of the file. */
static bool trainer_case_next(FILE *file, struct trainer_case *c)
{
	static unsigned int number;
	bool began = false;
	char line[2048];

	while (fgets(line, sizeof(line), file)) {
		number++;
		if (!strncmp(line, "=> ! ", 5)) {
			strncat(c->said, line + 5, sizeof(c->said) - strlen(c->said) - 1);
		} else if (!strncmp(line, "=>", 2)) {
			line[strcspn(line, "\n")] = '\0';
			snprintf(c->comes_to, sizeof(c->comes_to), "%s", line + 2 + strspn(line + 2, " "));
			return true;
		} else if (!began && (strncmp(line, "## ", 3) && *line != '\n')) {
			began = trainer_begins(c, line);
			c->line = number;
		} else if (began) {
			strncat(c->text, line, sizeof(c->text) - strlen(c->text) - 1);
		}
	}
	return false;
}
