/* config_helpers.h - a clean environment, a file of settings, and what was read from them. */
#pragma once
#include "tests/lib/unit.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/load/load.h"

#define FILE_NAME "profile.yaml"

static struct config config;
static char error[1400];

static void forget_environment(void)
{
	char name[OPTION_NAME];

	for (unsigned int id = 0; id < OPTIONS; id++) {
		option_variable(options[id].key, name);
		unsetenv(name);
	}
	for (const struct option_spelling *s = option_spellings; s->key; s++) {
		option_variable(s->key, name);
		unsetenv(name);
	}
	unsetenv("RANKTRACE_CONFIG");
	unsetenv("RANKTRACE_RESOLVED");
}

static void write_file(const char *text, size_t size)
{
	int fd = open(FILE_NAME, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, size), (int)size);
	close(fd);
	setenv("RANKTRACE_CONFIG", FILE_NAME, 1);
}

__attribute__((unused)) static int load_variable(const char *name, const char *text)
{
	forget_environment();
	setenv(name, text, 1);
	return config_load(&config, error, sizeof(error));
}

__attribute__((unused)) static int load_text(const char *text)
{
	forget_environment();
	write_file(text, strlen(text));
	return config_load(&config, error, sizeof(error));
}

__attribute__((unused)) static const char *steps_text(void)
{
	static char text[8192];

	selection_text(&config.steps, text, sizeof(text));
	return text;
}

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

/* Runs the cases in a folder of their own. */
static int run_cases(const char *name, TCase *t)
{
	char folder[] = "/tmp/check_config.XXXXXX";
	int status;

	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	status = unit_run(name, t);
	unlink(FILE_NAME);
	if (!chdir("/"))
		rmdir(folder);
	return status;
}
