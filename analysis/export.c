/* export.c - `ranktrace export`: the formats of other people's viewers. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/chrome.h"
#include "analysis/commands.h"
#include "analysis/files.h"
#include "analysis/memory.h"
#include "analysis/progress.h"
#include "analysis/usage.h"

static const char usage[] =
	"Usage: ranktrace export --to chrome [-o FILE] PATH...\n"
	"Writes the time line for a viewer.\n"
	"  -t, --to chrome    Chrome's JSON, for https://ui.perfetto.dev or chrome://tracing\n"
	"  -o, --output FILE  where to (standard output); never onto a trace\n"
	"  -h, --help         this text\n";

static void shown(size_t done, size_t all)
{
	progress("export", done, all);
}

/* made: there is something worth keeping. */
static int export_to(int fd, const char *name, char **paths, int count, bool *made)
{
	static struct out out;
	struct trace trace;
	bool whole;

	out.fd = fd;
	trace_open(&trace, paths, count);
	whole = chrome_export(&out, &trace, shown) && trace.count;
	*made = trace.count && !out.error;
	progress_end();
	trace_close(&trace);
	if (out.error)
		fprintf(stderr, "ranktrace: %s: %s\n", name, strerror(out.error));
	return whole && !out.error ? 0 : EXIT_LOST;
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
static bool is_trace(const char *file, char **paths, int count)
{
	bool trace = files_is_trace(file);

	for (int i = 0; i < count; i++)
		trace |= files_same(file, paths[i]);
	if (trace)
		fprintf(stderr, "ranktrace: %s is a trace, or to be read: it is not written over; give another "
				"place with -o\n",
			file);
	return trace;
}

static int export_and_close(int fd, const char *file, char **paths, int count, bool *made)
{
	int rc = export_to(fd, file, paths, count, made);

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
static int open_and_export(const char *file, char **paths, int count)
{
	bool direct = is_no_file(file), made;
	char *part;
	int fd, rc;

	if (is_folder(file)) {
		errno = EISDIR;
		return complain(file);
	}
	if (!direct && is_trace(file, paths, count))
		return EXIT_USAGE;
	if (asprintf(&part, "%s.XXXXXX", file) < 0)
		return complain(file);
	fd = direct ? open(file, O_WRONLY | O_CLOEXEC) : mkostemp(part, O_CLOEXEC);
	if (fd < 0) {
		rc = complain(file);
	} else {
		rc = export_and_close(fd, file, paths, count, &made);
		rc = direct ? rc : keep_file(part, file, made, rc);
	}
	free(part);
	return rc;
}

int cmd_export(int argc, char **argv)
{
	static const struct option options[] = {
		{ "to", required_argument, NULL, 't' },
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *file = NULL, *to = NULL;
	int option;
	bool made;

	while ((option = getopt_long(argc, argv, "t:o:h", options, NULL)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			return 0;
		}
		if (option == '?') {
			fputs(usage, stderr);
			return EXIT_USAGE;
		}
		if (option == 't')
			to = optarg;
		else
			file = optarg;
	}
	if (!to) {
		fprintf(stderr, "ranktrace: no format: write --to chrome\n%s", usage);
		return EXIT_USAGE;
	}
	if (strcmp(to, "chrome"))
		return usage_word("--to", to, "chrome (https://ui.perfetto.dev opens it, too)");
	if (optind == argc)
		return usage_no_path(usage);
	if (file)
		return open_and_export(file, argv + optind, argc - optind);
	return export_to(STDOUT_FILENO, "standard output", argv + optind, argc - optind, &made);
}
