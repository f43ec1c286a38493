/* load.c - runs in every traced process, as in the command: no output, no leak, and errno stays. */
#include "config/load/load.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int load_environment(struct loader *l)
{
	char name[OPTION_NAME];
	const char *text;
	int err;

	loader_layer(l);
	for (unsigned int id = 0; id < OPTIONS; id++) {
		option_variable(id, name);
		text = getenv(name);
		err = text ? loader_set(l, id, name, text) : 0;
		if (err)
			return err;
	}
	return 0;
}

/* Ours, but no settings: read by the agent, the wrapper or the tests themselves. */
static const char *const other_variables[] = {
	"RANK",
	"CONFIG",
	"RESOLVED",
	"PRELOAD",
	"LIBRARY",
	"BUILD",
	"SESSION_ROOT",
	"CLOCK",
	"VENV",
	NULL,
};

static bool known_variable(const char *name, size_t length)
{
	char known[OPTION_NAME];

	for (unsigned int id = 0; id < OPTIONS; id++) {
		option_variable(id, known);
		if (strlen(known) == length && !strncmp(known, name, length))
			return true;
	}
	name += strlen("RANKTRACE_");
	length -= strlen("RANKTRACE_");
	for (const char *const *other = other_variables; *other; other++)
		if (strlen(*other) == length && !strncmp(*other, name, length))
			return true;
	return false;
}

const char *config_stray_variable(void)
{
	for (char **e = environ; e && *e; e++)
		if (!strncmp(*e, "RANKTRACE_", strlen("RANKTRACE_")) && !known_variable(*e, strcspn(*e, "=")))
			return *e;
	return NULL;
}

static int load_all(struct loader *l)
{
	const char *path = getenv("RANKTRACE_CONFIG"), *resolved = getenv("RANKTRACE_RESOLVED");
	int err;

	err = path && *path && !resolved ? load_yaml(l, path) : 0;
	if (!err)
		err = load_environment(l);
	return err ? err : loader_finish(l);
}

int config_load(struct config *c, char *error, size_t size)
{
	struct loader l;
	int err, saved = errno;

	loader_begin(&l, c, error, size);
	err = load_all(&l);
	if (err)
		c->enable = false;
	errno = saved;
	return err;
}
