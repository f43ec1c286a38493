/* env.c - `ranktrace env`: what ranktrace-run was told, as plain RANKTRACE_* variables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/commands/commands.h"
#include "analysis/launch/command_line.h"
#include "analysis/launch/preset_choice.h"
#include "analysis/launch/program.h"
#include "analysis/launch/run_name.h"
#include "analysis/launch/shell_script.h"
#include "analysis/launch/stacks_told.h"
#include "analysis/launch/trainer.h"
#include "analysis/launch/trainer_told.h"
#include "analysis/launch/variables.h"
#include "analysis/launch/vendor.h"
#include "analysis/run/launcher_lock.h"
#include "config/base/printable.h"
#include "config/base/refuse.h"
#include "config/load/load.h"

struct env {
	struct command_line line;
	struct config config;
	struct loader loader;
	struct loader_command command;
	struct loader_told told;
	char error[1400];
	char refused[512]; /* why the trainer's words were left out; empty: they were not */
};

/* An empty variable is an unset one, but who types an option means something by it. */
static int set_given(struct env *e, enum option_id id, const char *flag, const char *text)
{
	const char *initial = options[id].initial;

	if (!*text && !options[id].type->empty && initial && *initial)
		return refuse(e->error, sizeof(e->error), "%s: the value is empty: write one, or leave %s out", flag, flag);
	return loader_set(&e->loader, id, flag, text);
}

/* Keys and values that it quotes may hold anything; it is one line all the same. */
static void say(const char *line)
{
	char text[2048];

	snprintf(text, sizeof(text), "%s", line);
	make_printable(text);
	fprintf(stderr, "ranktrace: %s\n", text);
}

/* As it was typed, or stands in the environment. */
static const char *wanted_preset(const struct env *e)
{
	const char *text = getenv("RANKTRACE_PRESET");

	for (unsigned int i = 0; i < e->line.count; i++)
		if (e->line.given[i].id == OPTION_preset)
			text = e->line.given[i].text;
	return text ? text : "";
}

/* Who starts the processes himself may give the command all the same. */
static void look_at_command(struct env *e, char *const *command)
{
	e->command.say = say;
	e->command.told = &e->told;
	e->command.take_over = e->line.take_over;
	e->command.preset = wanted_preset(e);
	e->command.version = preset_version;
	e->command.is_there = preset_is_there;
	e->loader.command = &e->command;
	preset_wanted(wanted_preset(e));
	if (!e->line.script || !command[0])
		return;
	preset_command(command);
	trainer_find(&e->command, command);
}

/* A command is changed only where it is a trainer's that is known. */
static int check_take_over(struct env *e)
{
	if (!e->command.take_over || (e->command.words && *e->command.off_words && !e->command.in_shell_line))
		return 0;
	if (e->command.words && !*e->command.off_words)
		return refuse(e->error, sizeof(e->error), "--take-over: none of the trainer's words counts beside --yaml-cfg: write profile: false in its file, and here --steps");
	if (e->command.words)
		return refuse(e->error, sizeof(e->error), "--take-over: the trainer is in a line of a shell's: add %s to its words there", e->command.off_words);
	return refuse(e->error, sizeof(e->error), "%s",
		      e->line.print_env ? "--take-over changes the command, which --print-env has none of: add global_profiler.tool=null to it"
					: "--take-over: no trainer of verl's is in the command: write its python -m verl.trainer.main_ppo here, "
					  "or add global_profiler.tool=null to it");
}

static int check_command(struct env *e, const char *command)
{
	if (!e->line.script && command)
		return refuse(e->error, sizeof(e->error), "%s: no command is looked at here: ranktrace-run --print-env -- COMMAND reads its words", command);
	if (e->line.script && !command && !e->line.print_env)
		return refuse(e->error, sizeof(e->error), "no command: ranktrace-run [OPTION]... [--] COMMAND [ARGUMENT]...");
	return 0;
}

/* They were the trainer's before they were ours: the job runs, and what they wanted is not guessed. */
static void leave_words_out(struct env *e)
{
	fprintf(stderr, "ranktrace: %s; without --steps nothing is recorded, the job runs on\n", e->error);
	snprintf(e->refused, sizeof(e->refused), "%.511s", e->error);
	make_printable(e->refused);
	loader_begin(&e->loader, &e->config, e->error, sizeof(e->error));
	e->loader.command = &e->command;
}

static int load_layers(struct env *e, char *const *command)
{
	const char *file = e->line.file ? e->line.file : getenv("RANKTRACE_CONFIG");
	char line[256];
	int err = 0;

	loader_begin(&e->loader, &e->config, e->error, sizeof(e->error));
	look_at_command(e, command);
	err = check_take_over(e);
	if (!err && file && *file && (e->line.file || !getenv("RANKTRACE_RESOLVED")))
		err = load_yaml(&e->loader, file, true);
	else if (!err && load_command(&e->loader))
		leave_words_out(e);
	if (!err)
		err = load_environment(&e->loader);
	loader_layer(&e->loader);
	for (unsigned int i = 0; !err && i < e->line.count; i++)
		err = set_given(e, e->line.given[i].id, e->line.given[i].flag, e->line.given[i].text);
	if (!err && config_stray_variable(line, sizeof(line)))
		fprintf(stderr, "ranktrace: %s\n", line);
	return err ? err : loader_finish(&e->loader);
}

/* Told nothing it records everything: somebody typed it in order to see something. */
static void select_something(struct config *c, const char *refused)
{
	if (!c->enable || c->steps.given || c->on_demand)
		return;
	if (*refused) {
		c->enable = false;
		snprintf(c->refused, sizeof(c->refused), "%s", refused);
		return;
	}
	c->steps.given = c->steps.all = true;
	if (c->ranks.given) {
		fputs("ranktrace: no steps given: recording all steps (to select: --steps 2,4)\n",
		      stderr);
		return;
	}
	c->ranks.given = c->ranks.all = true;
	fputs("ranktrace: no steps given: recording all steps of all ranks "
	      "(to select: --steps 2,4 --ranks 0)\n",
	      stderr);
}

/* Most people count from 0, counted steps do not: told before a run that then records nothing. */
static void tell_of_step_zero(const struct config *c)
{
	bool range = c->step_start >= 0 || c->step_end >= 0;

	if (!range && !*c->preset && c->steps.count && !c->steps.range[0].first && strcmp(c->step_source, "api"))
		fputs("ranktrace: step 0 exists only if the trainer calls ranktrace_step(0); "
		      "counted steps start at 1: write --steps 1 for the first\n",
		      stderr);
}

static void tell_of_no_analysis(const struct env *e)
{
	for (unsigned int i = 0; !e->config.analysis && i < e->line.count; i++)
		if (e->line.given[i].id == OPTION_export_type || e->line.given[i].id == OPTION_wait)
			fprintf(stderr, "ranktrace: %s has no effect without --analysis true\n", e->line.given[i].flag);
}

/* Whose settings the command's words are not, though the preset, or a script, names the trainer; NULL: nobody's. */
static const char *unseen_trainer(const struct env *e, char *const *command)
{
	if (e->line.print_env || e->command.words)
		return NULL;
	return strcmp(e->config.preset, "verl") ? trainer_mentioned(command) : "verl";
}

static void tell_of_shell(char *const *command)
{
	const char *script;
	char line[1024];

	if (!shell_script_find(command, &script))
		return;
	snprintf(line, sizeof(line), "%s%.512s is not looked into, nor are a trainer's settings in it: write ranktrace-run before torchrun or python there, "
				     "or --steps and --ranks, or --config FILE here",
		 script ? "the script " : "what $ stands for in the shell's line", script ? script : "");
	say(line);
}

/* A role may have contents of its own. */
static void tell_of_no_device(const struct config *c)
{
	unsigned int contents = c->contents;

	for (unsigned int i = 0; i < c->roles.count; i++)
		if (role_says(&c->roles.list[i], ROLE_KEY_contents))
			contents |= c->roles.list[i].contents;
	if (c->device_every > 1 && !(contents & CONTENT_DEVICE))
		fputs("ranktrace: --device-every has no effect without device among the --contents\n", stderr);
}

/* Most commands of trainers stand in a script, whose words are not the command's. */
static void tell_of_unseen_words(const struct env *e, char *const *command)
{
	const char *trainer;

	if (!e->line.script || *e->refused || e->config.steps.given || e->config.on_demand || !e->config.enable)
		return;
	trainer = unseen_trainer(e, command);
	if (trainer)
		fprintf(stderr,
			"ranktrace: no trainer of %s's is in the command, so the settings of its own profiler are not seen: "
			"put ranktrace-run before python, or give %s\n",
			trainer, !strcmp(trainer, "Megatron-LM") ? "--steps and --ranks" : "a file, --config FILE");
	else
		tell_of_shell(command);
}

/* Who starts the processes himself types the command, too. */
static void tell_of_words_to_add(const struct env *e)
{
	if (e->line.print_env && e->command.take_over)
		fprintf(stderr, "ranktrace: --take-over: --print-env changes no command: add %s to yours, or the trainer's own profiler runs in these steps, too\n",
			e->command.off_words);
}

/* The folder that LD_PRELOAD is to name in place of the library's own, whose path it cannot carry; else NULL. */
static const char *link_wanted(const struct config *c, const char *library, char *path, size_t size)
{
	if (!library || !strchr(library, '/') || !library[strcspn(library, ": \t")] || !*c->launch)
		return NULL;
	launcher_link_path(c->launch, path, size);
	return path;
}

/* For ranktrace-run: how many words were ours, which sanitizer wants to be first, and what else is preloaded. */
static void print_for_script(const struct env *e, const char *command)
{
	const char *library = getenv("RANKTRACE_LIBRARY");
	char preloads[8192] = "", path[512];
	const char *link = link_wanted(&e->config, library, path, sizeof(path));
	struct program p = { 0 };

	if (command)
		program_inspect(&p, command);
	if (!p.sanitizer[0] && library)
		program_inspect(&p, library);
	printf("ranktrace_shift=%d\nranktrace_print_env=%s\nranktrace_sanitizer=", e->line.command - 1,
	       !e->line.print_env ? "" : e->line.plain ? "plain"
						       : "shell");
	variables_put_value(stdout, p.sanitizer, false);
	if (library)
		launch_preloads(&e->config, library, link, preloads, sizeof(preloads));
	fputs("\nranktrace_preloads=", stdout);
	variables_put_value(stdout, preloads, false);
	fputs("\nranktrace_link=", stdout);
	variables_put_value(stdout, link ? link : "", false);
	fputs("\nranktrace_more_words=", stdout);
	if (e->command.take_over)
		variables_put_value(stdout, e->command.off_words, false);
	putchar('\n');
}

int cmd_env(int argc, char **argv)
{
	static struct env e;
	bool script = argc > 1 && !strcmp(argv[1], "--script");
	char **command;
	int err;

	e = (struct env){ .line.script = script };
	argc -= script;
	argv += script;
	err = command_line_read(&e.line, argc, argv, e.error, sizeof(e.error));
	if (!err && e.line.help)
		return 0;
	command = argv + e.line.command;
	if (!err)
		err = load_layers(&e, command);
	if (!err)
		err = check_command(&e, *command);
	if (err) {
		fprintf(stderr, "ranktrace: %s\n", e.error);
		return 2;
	}
	tell_of_unseen_words(&e, command);
	select_something(&e.config, e.refused);
	tell_of_step_zero(&e.config);
	tell_of_no_analysis(&e);
	tell_of_words_to_add(&e);
	tell_of_no_device(&e.config);
	stacks_tell(&e.config, say);
	if (e.line.script && *command)
		preset_choose(&e.config, e.command.untold);
	if (e.line.script && e.config.enable)
		trainer_tell(&e.told, &e.config, say);
	if (e.line.script)
		launch_before_start(&e.config, command);
	run_name_choose(&e.config, !e.line.print_env);
	if (e.line.script)
		print_for_script(&e, *command);
	variables_print(&e.config, e.line.plain && !e.line.script, e.line.script);
	if (e.config.enable)
		launch_variables(stdout, e.line.script ? getenv("RANKTRACE_LIBRARY") : NULL, e.line.plain && !e.line.script);
	return 0;
}
