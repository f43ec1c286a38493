#include "analysis/launch/preset_choice.h"

#include <stdio.h>
#include <string.h>

#include "analysis/launch/python_ask.h"
#include "config/preset.h"

static char *const *the_command;
static const char *the_wanted = "";

void preset_wanted(const char *wanted)
{
	the_wanted = wanted;
}

void preset_command(char *const *command)
{
	the_command = command;
}

/* verl-0.7 of verl: 0.7 */
static const char *version_in_name(const char *package)
{
	size_t length = strlen(package);

	return !strncmp(the_wanted, package, length) && the_wanted[length] == '-' ? the_wanted + length + 1 : NULL;
}

const char *preset_version(const char *package)
{
	static char asked[64], version[64];
	char question[1024];

	if (the_command && strcmp(asked, package)) {
		snprintf(asked, sizeof(asked), "%s", package);
		snprintf(question, sizeof(question), PYTHON_QUESTION "import importlib.metadata\nanswer(importlib.metadata.version('%s'))\n", package);
		python_ask(the_command, question, version, sizeof(version));
	}
	return *version ? version : version_in_name(package);
}

void preset_choose(struct config *c)
{
	const struct preset *p = *c->preset ? preset_find(c->preset) : NULL;
	const char *version;

	if (!p || !strcmp(p->name, c->preset))
		return;
	version = preset_version(p->package);
	if (version) {
		p = preset_for(p, version);
		snprintf(c->preset_version, sizeof(c->preset_version), "%.24s", version);
		fprintf(stderr, "ranktrace: %s %s: preset %s%s\n", p->package, version, p->name,
			preset_knows(p, version) ? "" : ", the nearest: functions of this version have not been looked up");
	} else {
		fprintf(stderr, "ranktrace: the version of %s could not be told: preset %s, the newest (another: --preset %.*s-VERSION)\n", p->package,
			p->name, (int)preset_kind(p), p->name);
	}
	snprintf(c->preset, sizeof(c->preset), "%s", p->name);
}
