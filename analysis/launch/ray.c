#include "analysis/launch/ray.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/text.h"
#include "analysis/launch/trainer.h"
#include "analysis/launch/vendor.h"
#include "analysis/util/alloc.h"
#include "config/option.h"

#define VARIABLES "++ray_kwargs.ray_init.runtime_env.env_vars."

/* ---- is there a cluster? ---- */

/* Where `ray start` leaves the address of what it started: ray.init() looks there, too. */
static bool is_on_this_host(void)
{
	const char *folder = getenv("RAY_TMPDIR");
	char path[1024];

	snprintf(path, sizeof(path), "%s/ray/ray_current_cluster", folder && *folder ? folder : "/tmp");
	return !access(path, F_OK);
}

static bool is_named(void)
{
	const char *address = getenv("RAY_ADDRESS");

	return address && *address && strcmp(address, "local") != 0;
}

/* `ray job submit ... -- python -m ...` runs the rest of the command on the cluster. */
static bool is_submitted(char *const *command)
{
	return !strcmp(text_basename(command[0]), "ray") && command[1] && !strcmp(command[1], "job");
}

/* ---- what its workers are handed ---- */

/* As Hydra reads it back: a quote has a backslash before it, and backslashes before a quote, or at the end, stand twice. */
static void put_quoted(char *to, const char *text)
{
	size_t slashes = 0;

	*to++ = '\'';
	for (; *text; text++) {
		slashes = *text == '\\' ? slashes + 1 : 0;
		if (*text == '\'')
			*to++ = '\\';
		*to++ = *text;
		for (; slashes && (text[1] == '\'' || !text[1]); slashes--)
			*to++ = '\\';
	}
	*to++ = '\'';
	*to = '\0';
}

static char *word_of(const char *name, size_t length, const char *value)
{
	size_t before = strlen(VARIABLES) + length + 1;
	char *word = alloc_zero(before + 2 * strlen(value) + 3, 1);

	sprintf(word, VARIABLES "%.*s=", (int)length, name);
	put_quoted(word + before, value);
	return word;
}

/* An option that says what it says by itself. A list may be empty, which is not the same as unset. */
static bool is_default(const struct config *defaults, const char *name, size_t length, const char *value)
{
	char variable[OPTION_NAME], text[1024];

	for (unsigned int id = 0; id < OPTIONS; id++) {
		option_variable(options[id].key, variable);
		if (strlen(variable) != length || strncmp(variable, name, length))
			continue;
		option_text(defaults, id, text, sizeof(text));
		return !options[id].type->empty && (!*value || !strcmp(text, value));
	}
	return false;
}

/* Each worker has a rank of its own. */
static bool is_for_workers(const struct config *defaults, const char *entry)
{
	static const char *const ours[] = { "RANKTRACE_PRELOAD=", "RANKTRACE_RANK=", "RANKTRACE_GROUP=", "RANKTRACE_REPLICA=" };
	size_t length = strcspn(entry, "=");

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (!strncmp(entry, ours[i], strlen(ours[i])))
			return false;
	return launch_is_ours(entry) || (!strncmp(entry, "RANKTRACE_", strlen("RANKTRACE_")) && entry[length] && !is_default(defaults, entry, length, entry + length + 1));
}

static char **with_variables(char **command, const char *preload)
{
	static struct config defaults;
	struct loader l;
	char why[256];
	size_t words = 0, variables = 0, n;
	char **longer;

	loader_begin(&l, &defaults, why, sizeof(why));
	while (command[words])
		words++;
	while (environ[variables])
		variables++;
	longer = alloc_zero(words + variables + 2, sizeof(*longer));
	memcpy(longer, command, words * sizeof(*longer));
	n = words;
	longer[n++] = word_of("LD_PRELOAD", strlen("LD_PRELOAD"), preload);
	for (size_t i = 0; i < variables; i++) {
		size_t length = strcspn(environ[i], "=");

		if (is_for_workers(&defaults, environ[i]))
			longer[n++] = word_of(environ[i], length, environ[i] + length + 1);
	}
	return longer;
}

char **ray_command(char **command, const char *preload, const char *save_path)
{
	bool submitted = is_submitted(command), named = is_named();

	if (!preload || !*preload || !(submitted || named || is_on_this_host()))
		return command;
	if (trainer_is_known(command)) {
		fprintf(stderr, "ranktrace: a Ray cluster is running, and its workers do not have this command's environment: "
				"words " VARIABLES "* hand it to them. libranktrace.so must lie in the same place on each node; "
				"after the job, `ranktrace recover %s` on the others saves what killed workers left\n",
			save_path);
		return with_variables(command, preload);
	}
	if (named || submitted)
		fputs("ranktrace: the workers of a Ray cluster that is running have the environment of its `ray start`, and are not traced: "
		      "start the nodes in an environment of ranktrace-run --print-env, or hand its lines to the job's runtime_env\n",
		      stderr);
	return command;
}
