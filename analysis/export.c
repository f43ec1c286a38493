/* export.c - `ranktrace export`: the formats of other people's viewers. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/chrome.h"
#include "analysis/commands.h"
#include "analysis/progress.h"

static const char usage[] =
	"Usage: ranktrace export --to chrome [-o FILE] PATH...\n"
	"Writes the time line for a viewer.\n"
	"  -t, --to chrome    Chrome's JSON, for https://ui.perfetto.dev or chrome://tracing\n"
	"  -o, --output FILE  where to (standard output)\n"
	"  -h, --help         this text\n";

static void shown(size_t done, size_t all)
{
	progress("export", done, all);
}

static int export_to(int fd, const char *name, char **paths, int count)
{
	static struct out out;
	struct trace trace;
	bool whole;

	out.fd = fd;
	trace_open(&trace, paths, count);
	whole = chrome_export(&out, &trace, shown) && trace.count;
	progress_end();
	trace_close(&trace);
	if (out.error)
		fprintf(stderr, "ranktrace: %s: %s\n", name, strerror(out.error));
	return whole && !out.error ? 0 : EXIT_LOST;
}

static int open_and_export(const char *file, char **paths, int count)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), rc;

	if (fd < 0) {
		fprintf(stderr, "ranktrace: %s: %s; give another place with -o\n", file,
			strerror(errno));
		return EXIT_LOST;
	}
	rc = export_to(fd, file, paths, count);
	if (close(fd)) {
		fprintf(stderr, "ranktrace: %s: %s\n", file, strerror(errno));
		rc = EXIT_LOST;
	}
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

	while ((option = getopt_long(argc, argv, "t:o:h", options, NULL)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			return 0;
		}
		if (option == 't')
			to = optarg;
		else if (option == 'o')
			file = optarg;
		else
			to = "";
	}
	if (!to || strcmp(to, "chrome") || optind == argc) {
		fputs(usage, stderr);
		return EXIT_USAGE;
	}
	if (file)
		return open_and_export(file, argv + optind, argc - optind);
	return export_to(STDOUT_FILENO, "standard output", argv + optind, argc - optind);
}
