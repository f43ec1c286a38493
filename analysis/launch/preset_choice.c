#include "analysis/launch/preset_choice.h"

#include <stdio.h>
#include <string.h>

#include "analysis/launch/python_ask.h"
#include "config/preset.h"

static char *const *the_command;

void preset_command(char *const *command)
{
	the_command = command;
}

const char *preset_version(const char *package)
{
	static char asked[64], version[64];
	char question[1024];

	if (!the_command)
		return NULL;
	if (strcmp(asked, package)) {
		snprintf(asked, sizeof(asked), "%s", package);
		snprintf(question, sizeof(question), PYTHON_QUESTION "import importlib.metadata\nanswer(importlib.metadata.version('%s'))\n", package);
		python_ask(the_command, question, version, sizeof(version));
	}
	return *version ? version : NULL;
}

void preset_choose(struct config *c)
{
	const struct preset *p = *c->preset ? preset_find(c->preset) : NULL;
	const char *version;

	if (!p || !strcmp(p->name, c->preset))
		return;
	version = preset_version(p->package);
	if (version) {
		p = preset_for(p->package, version);
		fprintf(stderr, "ranktrace: %s %s: preset %s\n", p->package, version, p->name);
	} else {
		fprintf(stderr, "ranktrace: the version of %s could not be told: preset %s, the newest (another: --preset %s-VERSION)\n", p->package,
			p->name, p->package);
	}
	snprintf(c->preset, sizeof(c->preset), "%s", p->name);
}
