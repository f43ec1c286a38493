/* html.c - `ranktrace html`: one file for a browser, which needs nothing else. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/commands/page_of.h"
#include "analysis/export/destination.h"
#include "analysis/commands/export_place.h"

static void usage(FILE *to)
{
	fputs("Usage: ranktrace html [OPTION]... PATH...\n"
	      "Writes a page that shows a run in a browser: steps by rank, why they were slow, time line, memory, tables.\n"
	      "It is one file, which needs no network and no other file.\n"
	      "  -o, --output FILE  where to (default: standard output); never a trace\n"
	      "  -s, --steps LIST   these steps only, as 2,4 or 5-9\n"
	      "  -r, --ranks LIST   these ranks only\n",
	      to);
	fputs(ARGUMENTS_STRIP_HELP("  -p, --strip-paths  "), to);
	fputs("  -h, --help         this text\n", to);
}

static int write_page(const struct arguments *a, const char *path)
{
	struct destination *to = destination_open(path, false);
	struct out *o = to ? destination_file(to, NULL) : NULL;
	enum page_of done;
	int rc;

	if (!to)
		return EXIT_LOST;
	if (!destination_is_well(to)) {
		destination_close(to, false);
		return EXIT_LOST;
	}
	done = page_of(o, a);
	rc = destination_close(to, done != PAGE_OF_NONE) && done == PAGE_WHOLE ? 0 : EXIT_LOST;
	if (path && !rc)
		fprintf(stderr, "ranktrace: the page is %s: open it in a browser\n", path);
	return rc;
}

static int take_output(void *context, const char *value)
{
	*(const char **)context = strcmp(value, "-") ? value : NULL;
	return 0;
}

int cmd_html(int argc, char **argv)
{
	static const struct argument own[] = { { "output", 'o', take_output, false, NULL }, ARGUMENTS_STRIP, { 0 } };
	const char *path = NULL;
	struct arguments a = { .usage = usage, .own = own, .context = &path };
	int rc = arguments_read_with_paths(&a, argc, argv);

	if (rc != ARGUMENTS_GO_ON)
		return rc;
	if (page_of_refuses(&a) || (path && export_place_is_taken(path, &a)))
		return EXIT_USAGE;
	if (!path && isatty(STDOUT_FILENO)) {
		fputs("ranktrace: a page is not for a terminal: name a file with -o FILE\n", stderr);
		return EXIT_USAGE;
	}
	return write_page(&a, path);
}
