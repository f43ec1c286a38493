/* verl_words.h - the words of a command, and a file, as ranktrace-run reads them, and the lines that it says. */
#pragma once
#include "tests/lib/config_helpers.h"

#define ACTOR  "actor_rollout_ref.actor.profiler"
#define NPU    ACTOR ".tool_config.npu"
#define ON     ACTOR ".enable=True"
#define RANK_0 ACTOR ".ranks=[0]"
#define WORDS  6

/* ---- a command, and what was said of it ---- */

static char said[4096];
static const char *installed;

static void say(const char *line)
{
	snprintf(said + strlen(said), sizeof(said) - strlen(said), "%s\n", line);
}

static const char *version(const char *package)
{
	ck_assert_str_eq(package, "verl");
	return installed;
}

static struct loader_command command;

/* The words of verl of that version, and a file of settings, as ranktrace-run reads them. */
__attribute__((unused)) static int load_words(const char *of, const char *const *words, const char *yaml)
{
	struct loader l;
	int err;

	said[0] = '\0';
	installed = of;
	command = (struct loader_command){ .words = (char *const *)words, .say = say, .version = version };
	loader_begin(&l, &config, error, sizeof(error));
	l.command = &command;
	if (yaml) {
		write_file(yaml, strlen(yaml));
		err = load_yaml(&l, FILE_NAME, false);
	} else {
		err = load_command(&l);
	}
	return err ? err : loader_finish(&l);
}
