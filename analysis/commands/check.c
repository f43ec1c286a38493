/* check.c - `ranktrace check`: says in words why a run recorded nothing, or only a part. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/check/calls_now.h"
#include "analysis/check/explain.h"
#include "analysis/commands/job_export.h"
#include "analysis/check/run_state.h"
#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/launch/program.h"
#include "analysis/launch/vendor.h"
#include "analysis/run/collect_traces.h"
#include "analysis/run/from_traces.h"
#include "analysis/run/refresh.h"
#include "analysis/run/run_folder.h"
#include "analysis/session/recover.h"
#include "analysis/util/alloc.h"
#include "analysis/util/trace_paths.h"
#include "config/base/printable.h"
#include "config/option.h"

static int usage(FILE *out)
{
	fputs("Usage: ranktrace check [--sources] PATH... | --pid PID | -- command...\n"
	      "Says why a run recorded nothing, or only a part. PATH is a save_path (its newest\n"
	      "run), the directory of a job, or a trace file. Exit status: 0 nothing is missing, 1 a\n"
	      "cause was found, 2 unknown.\n"
	      "  --sources        what each process heard of steps, stages and batches, and by which functions\n"
	      "  -p, --pid PID    a running process, by its pid\n"
	      "  -- command...    whether this program can be traced (it is not run)\n"
	      "  -h, --help       this text\n",
	      out);
	return out == stdout ? 0 : EXIT_USAGE;
}

static bool sources_asked; /* --sources */

static int say_run(const struct run *r)
{
	return run_state_say(r, sources_asked) ? 0 : EXIT_LOST;
}

/* A run whose launcher never wrote anything down is known by its sessions alone. */
static void asked_by(struct run *r, const struct session_status *s)
{
	char why[256];

	r->asked.enable = true;
	r->loads = 1;
	option_set(&r->asked, OPTION_steps, s->steps, why, sizeof(why));
	option_set(&r->asked, OPTION_ranks, s->ranks, why, sizeof(why));
	if (s->schedule[0])
		option_set(&r->asked, OPTION_schedule, s->schedule, why, sizeof(why));
	option_set(&r->asked, OPTION_save_path, s->save_path, why, sizeof(why));
}

static void say_calls(const struct session_entry *e)
{
	struct recovered found;
	char prefix[64 + sizeof(e->status->worker_group)];

	if (session_is_over(e) || recover_inspect(e, &found))
		return;
	if (e->status->rank >= 0)
		snprintf(prefix, sizeof(prefix), "rank %" PRId64 "%s%s: ", (int64_t)e->status->rank, *e->status->worker_group ? " of " : "",
			 e->status->worker_group);
	else
		snprintf(prefix, sizeof(prefix), "process %u: ", e->status->pid);
	make_printable(prefix);
	calls_now_say(e, &found, prefix);
	recovered_free(&found);
}

/* Fills r with the sessions of a process, or of a directory. */
static void read_sessions(struct run *r, uint32_t pid, const char *path)
{
	struct sessions all;

	sessions_read(&all);
	for (size_t i = 0; i < all.count; i++) {
		if (pid ? all.list[i].status->pid != pid : !session_traces_into(&all.list[i], path))
			continue;
		asked_by(r, all.list[i].status);
		say_calls(&all.list[i]);
		refresh_from_session(run_add(r), &all.list[i]);
	}
	sessions_free(&all);
}

/* A trace file that is damaged, or cannot be read at all, which is said: whatever else is known of its run. */
static bool is_broken(struct run *r, const char *path)
{
	if (!trace_paths_is_trace(path))
		return false;
	if (!collect_traces(r, path, NULL))
		return true;
	for (unsigned int i = 0; i < r->count; i++)
		if (r->processes[i].broken)
			return true;
	run_free(r);
	*r = (struct run){ 0 };
	return false;
}

/* What the traces tell without a run.json that is broken. */
static int say_without(struct run *r, const char *broken, const char *path)
{
	fprintf(stderr, "ranktrace: %s is broken: what follows is what the traces tell\n", broken);
	run_free(r);
	*r = (struct run){ 0 };
	collect_traces(r, path, NULL);
	if (r->count)
		say_run(r);
	return EXIT_LOST;
}

static int check_run(struct run *r, const char *path, const char *real)
{
	char folder[4096];
	int err = run_folder_read(r, path, folder, sizeof(folder)), status;
	bool exported, readable = err || from_traces_inspect_run(r, folder);

	if (err == -ENOENT && real)
		read_sessions(r, 0, real);
	if (err == -ENOENT && real && !r->count)
		collect_traces(r, real, NULL);
	if (err == -EINVAL)
		return say_without(r, folder, real);
	if (!err || r->count) {
		status = say_run(r);
		exported = job_export_say(r, err ? real : folder);
		return status || !exported || !readable ? EXIT_LOST : 0;
	}
	if (err == -ENOENT)
		fprintf(stderr, "ranktrace: %s: %s: name the --save-path of a run\n", path,
			real ? "no run.json here or above, no trace file below, and no process that traces into it" : strerror(ENOENT));
	else
		fprintf(stderr, "ranktrace: %s cannot be read: %s\n", path, strerror(-err));
	return EXIT_USAGE;
}

static int check_path(const char *path)
{
	struct run *r = alloc_zero(1, sizeof(*r));
	char *real = realpath(path, NULL);
	int status;

	if (real && is_broken(r, real)) {
		if (r->count)
			say_run(r);
		status = EXIT_LOST;
	} else {
		status = check_run(r, path, real);
	}
	run_free(r);
	free(r);
	free(real);
	return status;
}

static bool has_loaded(const char *path)
{
	char line[4096];
	bool found = false;
	FILE *maps = fopen(path, "re");

	while (maps && !found && fgets(line, sizeof(line), maps))
		found = strstr(line, "/libranktrace.so") != NULL;
	if (maps)
		fclose(maps);
	return found;
}

static bool is_foreign(uint32_t pid)
{
	struct sessions all;
	bool found = false;

	sessions_read(&all);
	for (size_t i = 0; i < all.foreign_count; i++)
		found |= all.foreign[i].pid == pid && all.foreign[i].alive;
	sessions_free(&all);
	return found;
}

/* A process that made no hooked call: 1, and why it left nothing. */
static int say_untraced(uint32_t pid)
{
	struct program program;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	if (access(path, R_OK)) {
		fprintf(stderr, "ranktrace: process %u cannot be inspected: %s: run this as its owner\n", pid,
			strerror(errno));
		return EXIT_USAGE;
	}
	if (is_foreign(pid)) {
		printf("process %u is traced by another release of ranktrace: ask that one's ranktrace check\n", pid);
		return EXIT_LOST;
	}
	if (has_loaded(path)) {
		printf("process %u has loaded libranktrace.so, but has not called a hooked function "
		       "yet: ranktrace hooks lists them\n",
		       pid);
		return EXIT_LOST;
	}
	snprintf(path, sizeof(path), "/proc/%u/exe", pid);
	program_inspect(&program, path);
	snprintf(program.path, sizeof(program.path), "process %u", pid);
	if (program.kind == PROGRAM_MISSING || !explain_program(&program, stdout, ""))
		printf("process %u has not loaded libranktrace.so, so it is not traced: start it with "
		       "ranktrace-run\n",
		       pid);
	return EXIT_LOST;
}

static int check_pid(const char *text)
{
	struct run *r = alloc_zero(1, sizeof(*r));
	char *end;
	uint32_t pid = (uint32_t)strtoul(text, &end, 10);
	int status;

	if (*end || !pid) {
		free(r);
		return arguments_refuse("--pid", text, "the number of a process, as ps shows it");
	}
	read_sessions(r, pid, "");
	if (r->count) {
		status = say_run(r);
	} else if (!kill((pid_t)pid, 0) || errno != ESRCH) {
		status = say_untraced(pid);
	} else {
		fprintf(stderr, "ranktrace: there is no process %s: ps shows their numbers\n", text);
		status = EXIT_USAGE;
	}
	run_free(r);
	free(r);
	return status;
}

/* Is what was inspected another file than the one named? */
static bool is_script(const struct program *p, const char *command)
{
	const char *name = strrchr(command, '/'), *found = strrchr(p->path, '/');

	return name && found && strcmp(name, found) && !trace_paths_same(command, p->path);
}

static int check_command(char *const *words)
{
	const char *command = words[0];
	struct program program;

	program_inspect(&program, command);
	if (program.kind == PROGRAM_MISSING)
		snprintf(program.path, sizeof(program.path), "%s", command);
	if (explain_program(&program, stdout, "") + explain_environment(launch_environment(words), stdout) +
	    explain_environment(launch_preload(), stdout))
		return EXIT_LOST;
	explain_packages(launch_packages(words), stdout);
	launch_variables_lost(stdout);
	if (is_script(&program, command))
		printf("%s can be traced (it runs by %s)\n", command, program.path);
	else
		printf("%s can be traced\n", program.path);
	return 0;
}

/* The same file or folder stands in front of this one. */
static bool is_told(char **argv, int i)
{
	struct stat st, before;

	for (int j = 1; j < i && !stat(argv[i], &st); j++)
		if (!stat(argv[j], &before) && before.st_dev == st.st_dev && before.st_ino == st.st_ino)
			return true;
	return false;
}

static int say_wrong_option(const char *word)
{
	static const struct option known[] = { { "pid", required_argument, NULL, 'p' }, { "sources", no_argument, NULL, 0 }, { "help", no_argument, NULL, 'h' }, { 0 } };

	if (strcmp(word, "--pid") && strcmp(word, "-p") && strcmp(word, "--"))
		return arguments_unknown(word, known);
	fprintf(stderr, "ranktrace: %s needs a value: --help tells which\n", word);
	return EXIT_USAGE;
}

/* Takes --sources out of the words, wherever it stands before --. Returns how many are left. */
static int take_sources(int argc, char **argv)
{
	int left = 0;
	bool ended = false;

	for (int i = 0; i < argc; i++) {
		ended |= !strcmp(argv[i], "--");
		if (!ended && !strcmp(argv[i], "--sources"))
			sources_asked = true;
		else
			argv[left++] = argv[i];
	}
	argv[left] = NULL;
	return left;
}

int cmd_check(int argc, char **argv)
{
	int status = 0, one;

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return usage(stdout);
	argc = take_sources(argc, argv);
	if (argc > 2 && !strcmp(argv[1], "--"))
		return check_command(argv + 2);
	if (argc == 3 && (!strcmp(argv[1], "--pid") || !strcmp(argv[1], "-p")))
		return check_pid(argv[2]);
	if (argc < 2)
		return usage(stderr);
	if (argv[1][0] == '-')
		return say_wrong_option(argv[1]);
	for (int i = 1; i < argc; i++) {
		one = is_told(argv, i) ? 0 : check_path(argv[i]);
		status = one > status ? one : status;
	}
	return status;
}
