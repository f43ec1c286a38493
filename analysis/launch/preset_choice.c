#include "analysis/launch/preset_choice.h"

#include <stdio.h>
#include <string.h>

#include "analysis/launch/python_ask.h"
#include "config/preset.h"

static bool version_of(const char *package, char *const *command, char *version, size_t size)
{
	char question[1024];

	snprintf(question, sizeof(question), PYTHON_QUESTION "import importlib.metadata\nanswer(importlib.metadata.version('%s'))\n", package);
	return python_ask(command, question, version, size);
}

void preset_choose(struct config *c, char *const *command)
{
	const struct preset *p = *c->preset ? preset_find(c->preset) : NULL;
	char version[64];

	if (!p || !strcmp(p->name, c->preset))
		return;
	if (version_of(p->package, command, version, sizeof(version))) {
		p = preset_for(p->package, version);
		fprintf(stderr, "ranktrace: %s %s: preset %s\n", p->package, version, p->name);
	} else {
		fprintf(stderr, "ranktrace: the version of %s could not be told: preset %s, the newest (another: --preset %s-VERSION)\n", p->package,
			p->name, p->package);
	}
	snprintf(c->preset, sizeof(c->preset), "%s", p->name);
}
