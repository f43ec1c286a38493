/* export.c - `ranktrace export`: the formats of other people's viewers. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/commands/found.h"
#include "analysis/export/export.h"
#include "analysis/report/by_run.h"
#include "analysis/util/trace_paths.h"

static const struct {
	const char *name, *help;
	const struct exporter *exporter;
} exporters[] = {
#define EXPORTER(name, help) { #name, help, &name##_exporter },
#include "analysis/export/exporters.def"
#undef EXPORTER
};
#define EXPORTERS (sizeof(exporters) / sizeof(exporters[0]))

/* "chrome|csv" */
static void put_names(FILE *to)
{
	for (size_t i = 0; i < EXPORTERS; i++)
		fprintf(to, "%s%s", i ? "|" : "", exporters[i].name);
}

static void usage(FILE *to)
{
	fputs("Usage: ranktrace export --to ", to);
	put_names(to);
	fputs(" [OPTION]... PATH...\n"
	      "Writes the time line for a viewer.\n",
	      to);
	for (size_t i = 0; i < EXPORTERS; i++)
		fprintf(to, "%-10s %-9s %s\n", i ? "" : "  -t, --to", exporters[i].name, exporters[i].help);
	fputs("  -o, --output FILE  output file (default: standard output); never a trace\n"
	      "  -s, --steps LIST   these steps only, as 2,4 or 5-9\n"
	      "  -r, --ranks LIST   these ranks only\n"
	      "  -R, --roles LIST   stages of these roles only, as actor_update or actor\n"
	      "  -h, --help         this text\n",
	      to);
}

struct asked {
	const char *file;
	const struct exporter *to; /* NULL: not said */
	const struct arguments *arguments;
};

/* made: there is something worth keeping. */
static int export_to(int fd, const char *name, const struct asked *asked, bool *made)
{
	static struct out out;
	const struct arguments *a = asked->arguments;
	struct exported done = { 0 };
	struct trace trace;

	out.fd = fd;
	trace_open(&trace, a->paths, a->count);
	by_run_tell_mixed(&trace, &a->choice, "exported", a->paths, a->count);
	if (trace.count) {
		done = export_trace(asked->to, &out, &trace, &a->choice);
		done.whole &= found_all(&trace, &a->choice, done.ranks, done.events + done.stages);
	}
	*made = (done.events || done.stages) && !out.error;
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
	fprintf(stderr, "ranktrace: %s: %s; give another file with -o\n", file, strerror(errno));
	return EXIT_LOST;
}

/* What an input or another trace holds cannot be recorded again. */
static bool is_trace(const char *file, const struct arguments *in)
{
	bool trace = trace_paths_is_trace(file);

	for (int i = 0; i < in->count; i++)
		trace |= trace_paths_same(file, in->paths[i]);
	if (trace)
		fprintf(stderr, "ranktrace: %s is a trace or an input and is not overwritten; give another file with -o\n",
			file);
	return trace;
}

static int export_and_close(int fd, const char *file, const struct asked *asked, bool *made)
{
	int rc = export_to(fd, file, asked, made);

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
static int open_and_export(const struct asked *asked)
{
	const char *file = asked->file;
	bool direct = is_no_file(file), made;
	char *part;
	int fd, rc;

	if (is_folder(file)) {
		errno = EISDIR;
		return complain(file);
	}
	if (!direct && is_trace(file, asked->arguments))
		return EXIT_USAGE;
	if (asprintf(&part, "%s.XXXXXX", file) < 0)
		return complain(file);
	fd = direct ? open(file, O_WRONLY | O_CLOEXEC) : mkostemp(part, O_CLOEXEC);
	if (fd < 0) {
		rc = complain(file);
	} else {
		rc = export_and_close(fd, file, asked, &made);
		rc = direct ? rc : keep_file(part, file, made, rc);
	}
	free(part);
	return rc;
}

static int take_to(void *context, const char *value)
{
	struct asked *asked = context;
	char *known = NULL;
	size_t size;
	FILE *f = open_memstream(&known, &size);
	int rc;

	for (size_t i = 0; i < EXPORTERS; i++) {
		if (!strcmp(value, exporters[i].name))
			asked->to = exporters[i].exporter;
		fprintf(f, "%s%s (%s)", i ? " or " : "", exporters[i].name, exporters[i].help);
	}
	fclose(f);
	rc = asked->to ? 0 : arguments_refuse("--to", value, known);
	free(known);
	return rc;
}

static int take_output(void *context, const char *value)
{
	((struct asked *)context)->file = value;
	return 0;
}

static int export_asked(const struct asked *asked)
{
	bool made;

	if (!asked->to) {
		fputs("ranktrace: no format: write --to ", stderr);
		put_names(stderr);
		fputc('\n', stderr);
		usage(stderr);
		return EXIT_USAGE;
	}
	if (!asked->arguments->count)
		return arguments_no_path(asked->arguments);
	if (asked->file)
		return open_and_export(asked);
	return export_to(STDOUT_FILENO, "standard output", asked, &made);
}

int cmd_export(int argc, char **argv)
{
	static const struct argument own[] = { { "to", 't', take_to }, { "output", 'o', take_output }, { 0 } };
	struct asked asked = { .to = NULL };
	struct arguments a = { .usage = usage, .own = own, .context = &asked };
	int rc = arguments_read(&a, argc, argv);

	asked.arguments = &a;
	return rc == ARGUMENTS_GO_ON ? export_asked(&asked) : rc;
}
