/* check.c - `ranktrace check`: says in words why a run recorded nothing, or only a part. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/collect.h"
#include "analysis/commands.h"
#include "analysis/explain.h"
#include "analysis/memory.h"
#include "analysis/program.h"
#include "analysis/run_folder.h"
#include "config/option.h"

static int usage(FILE *out)
{
	fputs("usage: ranktrace check PATH... | --pid PID | -- command...\n"
	      "Says why a run recorded nothing, or only a part of it. PATH is a save_path (its newest\n"
	      "run), the directory of a job, or a trace file. Exit status: 0 all is well, 1 a cause was\n"
	      "found, 2 it cannot be told.\n",
	      out);
	return out == stdout ? 0 : EXIT_USAGE;
}

/* "recorded 12 events of ranks 0, 1" */
static void say_recorded(const struct run *r)
{
	struct run_totals t = run_totals(r);
	const char *word = t.ranks ? "rank" : "process", *many = t.ranks ? "s" : "es";
	bool more = false;

	if (!t.recorders)
		return;
	printf("recorded %" PRId64 " event%s of %s%s ", t.kept, t.kept == 1 ? "" : "s", word,
	       t.recorders == 1 ? "" : many);
	for (unsigned int i = 0; i < r->count; i++) {
		if (!r->processes[i].kept)
			continue;
		printf("%s%" PRId64, more ? ", " : "",
		       t.ranks ? r->processes[i].rank : r->processes[i].pid);
		more = true;
	}
	putchar('\n');
}

/* Says all that is known of a run; 0 if all is well. */
static int say_run(const struct run *r)
{
	unsigned int causes;

	say_recorded(r);
	fflush(stdout);
	causes = explain(r, stdout, "");
	for (unsigned int i = 0; i < r->count; i++)
		if (!strcmp(r->processes[i].state, "recording"))
			printf("process %" PRId64 " is recording\n", r->processes[i].pid);
	return causes ? EXIT_LOST : 0;
}

/* A run whose launcher never wrote anything down is known by its sessions alone. */
static void asked_by(struct run *r, const struct session_status *s)
{
	char why[256];

	r->asked.enable = true;
	r->loads = 1;
	option_set(&r->asked, OPTION_steps, s->steps, why, sizeof(why));
	option_set(&r->asked, OPTION_ranks, s->ranks, why, sizeof(why));
	option_set(&r->asked, OPTION_save_path, s->save_path, why, sizeof(why));
}

static bool belongs(const struct session_entry *e, uint32_t pid, const char *path)
{
	char job[1200];

	if (pid)
		return e->status->pid == pid;
	snprintf(job, sizeof(job), "%s/%s", e->status->save_path, e->status->job);
	return !strcmp(path, e->status->save_path) || !strcmp(path, job);
}

/* Fills r with the sessions of a process, or of a directory. */
static void read_sessions(struct run *r, uint32_t pid, const char *path)
{
	struct sessions all;

	sessions_read(&all);
	for (size_t i = 0; i < all.count; i++) {
		if (!belongs(&all.list[i], pid, path))
			continue;
		asked_by(r, all.list[i].status);
		collect_session(r, &all.list[i]);
	}
	sessions_free(&all);
}

static int check_path(const char *path)
{
	struct run *r = memory_zero(1, sizeof(*r));
	char folder[4096], *real = realpath(path, NULL);
	int err = run_folder_read(r, path, folder, sizeof(folder)), status = EXIT_USAGE;

	if (err == -ENOENT && real)
		read_sessions(r, 0, real);
	if (!err || r->count)
		status = say_run(r);
	else if (err == -ENOENT && real)
		fprintf(stderr, "ranktrace: there is no run.json in or above %s: was it recorded "
				"without ranktrace-run?\n",
			path);
	else
		fprintf(stderr, "ranktrace: %s cannot be read: %s\n", path, strerror(-err));
	run_free(r);
	free(r);
	free(real);
	return status;
}

/* Is the library mapped into a process that made no hooked call? */
static bool has_loaded(const char *pid)
{
	char path[64], line[4096];
	bool found = false;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%.20s/maps", pid);
	maps = fopen(path, "re");
	while (maps && !found && fgets(line, sizeof(line), maps))
		found = strstr(line, "/libranktrace.so") != NULL;
	if (maps)
		fclose(maps);
	return found;
}

static int check_pid(const char *text)
{
	struct run *r = memory_zero(1, sizeof(*r));
	struct program program;
	uint32_t pid = (uint32_t)strtoul(text, NULL, 10);
	char path[64];
	int status;

	read_sessions(r, pid, "");
	if (!pid || (!r->count && kill((pid_t)pid, 0) && errno == ESRCH)) {
		fprintf(stderr, "ranktrace: there is no process %s\n", text);
		free(r);
		return EXIT_USAGE;
	}
	if (!r->count) {
		snprintf(path, sizeof(path), "/proc/%u/exe", pid);
		program_look(&program, path);
		snprintf(r->program, sizeof(r->program), "process %u", pid);
		if (program.kind != PROGRAM_MISSING)
			snprintf(r->program_kind, sizeof(r->program_kind), "%s",
				 program_words[program.kind]);
		r->asked = (struct config){ .enable = true, .steps.all = true, .ranks.all = true };
		r->loads = has_loaded(text);
	}
	status = say_run(r);
	run_free(r);
	free(r);
	return status;
}

static int check_command(const char *command)
{
	struct program program;

	program_look(&program, command);
	if (program.kind == PROGRAM_MISSING)
		snprintf(program.path, sizeof(program.path), "%s", command);
	if (explain_program(&program, stdout, ""))
		return EXIT_LOST;
	printf("%s can be traced\n", program.path);
	return 0;
}

int cmd_check(int argc, char **argv)
{
	int status = 0, one;

	if (argc > 1 && !strcmp(argv[1], "--help"))
		return usage(stdout);
	if (argc > 2 && !strcmp(argv[1], "--"))
		return check_command(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "--pid"))
		return check_pid(argv[2]);
	if (argc < 2 || argv[1][0] == '-')
		return usage(stderr);
	for (int i = 1; i < argc; i++) {
		one = check_path(argv[i]);
		status = one > status ? one : status;
	}
	return status;
}
