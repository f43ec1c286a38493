/* export.c - `ranktrace export`: the formats of other people's viewers. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/export/chrome/chrome.h"
#include "analysis/commands/commands.h"
#include "analysis/util/trace_paths.h"
#include "analysis/util/alloc.h"
#include "analysis/util/progress.h"
#include "analysis/report/by_run.h"
#include "analysis/util/usage.h"

static const char usage[] =
	"Usage: ranktrace export --to chrome [OPTION]... PATH...\n"
	"Writes the time line for a viewer.\n"
	"  -t, --to chrome    Chrome's JSON, for https://ui.perfetto.dev or chrome://tracing\n"
	"  -o, --output FILE  where to (standard output); never onto a trace\n"
	"  -s, --steps LIST   these steps only, as 2,4 or 5-9\n"
	"  -r, --ranks LIST   these ranks only\n"
	"  -h, --help         this text\n";

/* What is to be exported. */
struct input {
	char **paths;
	int count;
	struct choice choice;
};

static void shown(size_t done, size_t all)
{
	progress("export", done, all);
}

/* What was asked for and is not there is said. */
static bool found(const struct input *in, struct trace *t, const struct exported *done)
{
	if (!done->ranks)
		choice_no_rank(t);
	else if (!done->events && !in->choice.steps.all)
		choice_look_for_steps(&in->choice, t);
	else
		return true;
	return false;
}

/* made: there is something worth keeping. */
static int export_to(int fd, const char *name, const struct input *in, bool *made)
{
	static struct out out;
	struct exported done = { 0 };
	struct trace trace;

	out.fd = fd;
	trace_open(&trace, in->paths, in->count);
	by_run_tell_mixed(&trace, &in->choice, "exported", in->paths, in->count);
	if (trace.count) {
		done = chrome_export(&out, &trace, &in->choice, shown);
		progress_end();
		done.whole &= found(in, &trace, &done);
	}
	*made = done.ranks && !out.error;
	trace_close(&trace);
	if (out.error)
		fprintf(stderr, "ranktrace: %s: %s\n", name, strerror(out.error));
	return done.whole && !out.error ? 0 : EXIT_LOST;
}

/* A terminal, a pipe or /dev/null is written to as it is. */
static bool is_no_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int complain(const char *file)
{
	fprintf(stderr, "ranktrace: %s: %s; give another place with -o\n", file, strerror(errno));
	return EXIT_LOST;
}

/* What an input or another trace holds cannot be recorded again. */
static bool is_trace(const char *file, const struct input *in)
{
	bool trace = trace_paths_is_trace(file);

	for (int i = 0; i < in->count; i++)
		trace |= trace_paths_same(file, in->paths[i]);
	if (trace)
		fprintf(stderr, "ranktrace: %s is a trace, or to be read: it is not written over; give another "
				"place with -o\n",
			file);
	return trace;
}

static int export_and_close(int fd, const char *file, const struct input *in, bool *made)
{
	int rc = export_to(fd, file, in, made);

	if (!close(fd))
		return rc;
	*made = false;
	return complain(file);
}

/* Takes the finished file, or what there is of it, away from its other name. */
static int keep_file(char *part, const char *file, bool made, int rc)
{
	if (made && !rename(part, file))
		return rc;
	if (made)
		complain(file);
	unlink(part);
	return EXIT_LOST;
}

/*
 * Under another name until it is whole: a file that is there stays if nothing comes of it, and a link
 * planted at the name is replaced, not followed. For the owner only, as the traces are.
 */
static int open_and_export(const char *file, const struct input *in)
{
	bool direct = is_no_file(file), made;
	char *part;
	int fd, rc;

	if (is_folder(file)) {
		errno = EISDIR;
		return complain(file);
	}
	if (!direct && is_trace(file, in))
		return EXIT_USAGE;
	if (asprintf(&part, "%s.XXXXXX", file) < 0)
		return complain(file);
	fd = direct ? open(file, O_WRONLY | O_CLOEXEC) : mkostemp(part, O_CLOEXEC);
	if (fd < 0) {
		rc = complain(file);
	} else {
		rc = export_and_close(fd, file, in, &made);
		rc = direct ? rc : keep_file(part, file, made, rc);
	}
	free(part);
	return rc;
}

struct asked {
	struct input in;
	const char *file, *to;
};

static int read_option(struct asked *asked, int option)
{
	switch (option) {
	case 't':
		asked->to = optarg;
		return 0;
	case 'o':
		asked->file = optarg;
		return 0;
	case 's':
	case 'r':
		return choice_read(&asked->in.choice, option, optarg);
	}
	fputs(usage, stderr);
	return EXIT_USAGE;
}

static int export_asked(const struct asked *asked)
{
	bool made;

	if (!asked->to) {
		fprintf(stderr, "ranktrace: no format: write --to chrome\n%s", usage);
		return EXIT_USAGE;
	}
	if (strcmp(asked->to, "chrome"))
		return usage_word("--to", asked->to, "chrome (https://ui.perfetto.dev opens it, too)");
	if (!asked->in.count)
		return usage_no_path(usage);
	if (asked->file)
		return open_and_export(asked->file, &asked->in);
	return export_to(STDOUT_FILENO, "standard output", &asked->in, &made);
}

int cmd_export(int argc, char **argv)
{
	static const struct option known[] = {
		{ "to", required_argument, NULL, 't' },
		{ "output", required_argument, NULL, 'o' },
		{ "steps", required_argument, NULL, 's' },
		{ "ranks", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct asked asked = { .in.choice = CHOICE_ALL };
	int option, rc;

	while ((option = getopt_long(argc, argv, "t:o:s:r:h", known, NULL)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			return 0;
		}
		rc = read_option(&asked, option);
		if (rc)
			return rc;
	}
	asked.in.paths = argv + optind;
	asked.in.count = argc - optind;
	return export_asked(&asked);
}
