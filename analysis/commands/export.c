/* export.c - `ranktrace export`: the formats of other people's viewers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/commands/export_formats.h"
#include "analysis/commands/export_place.h"
#include "analysis/commands/found.h"
#include "analysis/export/export.h"
#include "analysis/report/by_run.h"
#include "analysis/report/run_of.h"
#include "analysis/trace/words.h"
#include "analysis/util/cores.h"

static void usage(FILE *to)
{
	fputs("Usage: ranktrace export --to ", to);
	export_formats_words(to);
	fputs(" [OPTION]... PATH...\n"
	      "Writes the time line for a viewer, or tables.\n",
	      to);
	for (enum export_format_number i = 0; i < EXPORT_FORMATS; i++)
		fprintf(to, "%-10s %-11s %s\n", i ? "" : "  -t, --to", export_format(i)->word, export_format(i)->help);
	fputs("  -o, --output PATH  output file (default: standard output), or folder of files (of some formats:\n"
	      "                     the run's folder unless said); never a trace\n"
	      "                     With chrome and perfetto a folder (FOLDER/) gets a file for each process\n"
	      "  -c, --compress TO  gz or zst: files are packed, and have that suffix; an output file that is\n"
	      "                     called so is packed anyway\n"
	      "  -j, --jobs N       so many processes of the trace at a time, or parts of one\n"
	      "                     (default: as there are cores, but 1 to standard output); what is\n"
	      "                     written is the same\n"
	      "  -s, --steps LIST   these steps only, as 2,4 or 5-9\n"
	      "  -r, --ranks LIST   these ranks only\n"
	      "  -R, --roles LIST   stages of these roles only, as actor_update or actor\n"
	      "  -k, --kinds LIST   events of these kinds only, as launch,copy\n"
	      "  -b, --by WHAT      what folded counts: host (default) or device, in ns, or count, calls\n"
	      "  -m, --merge-windows  formats of a folder a window: one folder for all windows of a process\n",
	      to);
	fputs(ARGUMENTS_STRIP_HELP("  -p, --strip-paths  "), to);
	fputs("  -h, --help         this text\n", to);
}

struct asked {
	const char *path;		/* NULL: standard output */
	const struct export_format *to; /* NULL: not said */
	const struct arguments *arguments;
	uint32_t kinds;
	bool merge_windows, by_said;
	enum export_by by;
	enum packing packing;
	unsigned int jobs;
	bool folder; /* -o is one */
};

static bool no_kind(void)
{
	fputs("ranktrace: of what was asked for there is nothing of the --kinds: `ranktrace report` lists the calls that there are\n", stderr);
	return false;
}

/* There are events, but none for this format. */
static bool lacks(const struct exporter *x, const struct exported *done)
{
	if (!x->without || done->any || !done->events)
		return false;
	fprintf(stderr, "ranktrace: %s\n", x->without);
	return true;
}

static int export_to(struct destination *to, const struct asked *asked)
{
	const struct arguments *a = asked->arguments;
	struct export e = { .to = to, .choice = &a->choice, .kinds = asked->kinds, .by = asked->by, .merge_windows = asked->merge_windows, .jobs = asked->jobs };
	struct exported done = { 0 };
	struct trace trace;
	bool keep;

	destination_packing(to, asked->packing);
	destination_limit(to, asked->to->exporter->limit);
	if (!asked->folder)
		e.out = destination_file(to, NULL);
	if (!destination_is_well(to)) {
		destination_close(to, false);
		return EXIT_LOST;
	}
	trace_open(&trace, a->paths, a->count);
	by_run_tell_mixed(&trace, &a->choice, "exported", a->paths, a->count);
	run_of_tell(&trace);
	if (trace.count) {
		e.trace = &trace;
		done = export_trace(asked->to->exporter, &e, &trace);
		if (destination_is_well(to)) /* else it is said why there is not all */
			done.whole &= asked->kinds == EXPORT_ALL_KINDS || done.events ? found_all(&trace, &a->choice, done.ranks, done.events + done.stages) : no_kind();
	}
	if (done.torn && destination_is_well(to))
		fputs("ranktrace: of what was recorded something is missing: `ranktrace report` says what, of whom\n", stderr);
	trace_close(&trace);
	keep = (done.events || done.stages) && destination_is_well(to) && !lacks(asked->to->exporter, &done);
	return destination_close(to, keep) && keep && done.whole ? 0 : EXIT_LOST;
}

static const char *formats[EXPORT_FORMATS + 1], *kinds[EV_KINDS + 1]; /* words, NULL at the end */

static int take_to(void *context, const char *value)
{
	struct asked *asked = context;
	const struct export_format *meant;

	for (enum export_format_number i = 0; i < EXPORT_FORMATS; i++)
		if (!strcmp(value, formats[i]))
			asked->to = export_format(i);
	if (asked->to)
		return 0;
	meant = export_format_meant(value);
	return meant ? arguments_refuse("--to", value, meant->word) : arguments_refuse_word("--to", value, formats);
}

static int take_output(void *context, const char *value)
{
	((struct asked *)context)->path = strcmp(value, "-") ? value : NULL;
	return 0;
}

static int take_kinds(void *context, const char *value)
{
	struct asked *asked = context;
	char word[64];
	size_t length;
	int kind;

	for (asked->kinds = 0; *(value += strspn(value, ", \t")); value += length) {
		length = strcspn(value, ", \t");
		snprintf(word, sizeof(word), "%.*s", (int)length, value);
		for (kind = 0; kind < EV_KINDS && strcmp(word, kind_words[kind]); kind++)
			;
		if (kind == EV_KINDS)
			return arguments_refuse_word("--kinds", word, kinds);
		asked->kinds |= 1u << kind;
	}
	return asked->kinds ? 0 : arguments_refuse_word("--kinds", "", kinds);
}

static const char *const by_words[] = {
#define EXPORT_BY(symbol, word) word,
	EXPORTS_BY(EXPORT_BY)
#undef EXPORT_BY
		NULL
};

static int take_by(void *context, const char *value)
{
	struct asked *asked = context;

	asked->by_said = true;
	for (asked->by = 0; asked->by < BY_COUNTS; asked->by++)
		if (!strcmp(value, by_words[asked->by]))
			return 0;
	return arguments_refuse_word("--by", value, by_words);
}

static int take_merge(void *context, const char *value)
{
	(void)value;
	((struct asked *)context)->merge_windows = true;
	return 0;
}

static int take_compress(void *context, const char *value)
{
	struct asked *asked = context;

	asked->packing = packing_of_word(value);
	return asked->packing ? 0 : arguments_refuse("--compress", value, "gz or zst");
}

static int take_jobs(void *context, const char *value)
{
	return arguments_take_jobs(&((struct asked *)context)->jobs, value);
}

static int no_format(void)
{
	fputs("ranktrace: no format: write --to ", stderr);
	export_formats_words(stderr);
	fputc('\n', stderr);
	usage(stderr);
	return EXIT_USAGE;
}

/* A file that is called otherwise than it is packed. */
static bool contradicts(const struct asked *asked)
{
	struct stat st;

	if (!asked->packing || packing_of_name(asked->path) == asked->packing || (!stat(asked->path, &st) && !S_ISREG(st.st_mode)))
		return false;
	fprintf(stderr, "ranktrace: -o %s is not called as --compress packs it: give a name that ends with %s, or leave --compress out\n", asked->path,
		packing_suffix(asked->packing));
	return true;
}

/* What follows from the format and the output's name. */
static int settle(struct asked *asked)
{
	const struct exporter *x = asked->to->exporter;

	asked->folder = asked->to->folder || (x->may_be_folder && asked->path && export_place_is_folder(asked->path));
	if (asked->path && !asked->folder && contradicts(asked))
		return EXIT_USAGE;
	if (!asked->packing && asked->path && !asked->folder)
		asked->packing = packing_of_name(asked->path);
	if (!asked->jobs)
		asked->jobs = cores_count();
	if (x->sums_up && asked->kinds != EXPORT_ALL_KINDS) {
		fprintf(stderr, "ranktrace: what %s says of steps is summed up of all kinds: leave --kinds out\n", asked->to->word);
		return EXIT_USAGE;
	}
	if (asked->by_said && !x->has_by) {
		fprintf(stderr, "ranktrace: %s has each call with its times: leave --by out\n", asked->to->word);
		return EXIT_USAGE;
	}
	if (asked->packing && !x->may_be_packed) {
		fprintf(stderr, "ranktrace: what reads %s takes no packed files: leave --compress out\n", asked->to->word);
		return EXIT_USAGE;
	}
	return packing_is_there(asked->packing) ? 0 : EXIT_USAGE;
}

/* It would make a mess of it. */
static bool is_for_no_terminal(const struct asked *asked)
{
	bool binary = !asked->path && (asked->packing || asked->to->exporter->is_binary);

	if (!binary || !isatty(STDOUT_FILENO))
		return false;
	fputs("ranktrace: what is written is not for a terminal: name a file with -o FILE\n", stderr);
	return true;
}

static int export_asked(struct asked *asked)
{
	struct destination *to;
	char *beside = NULL;
	int rc;

	if (!asked->to)
		return no_format();
	if (asked->to->exporter->missing) {
		fprintf(stderr, "ranktrace: %s\n", asked->to->exporter->missing);
		return EXIT_LOST;
	}
	if (!asked->arguments->count)
		return arguments_no_path(asked->arguments);
	if (asked->to->folder && !asked->path && !(asked->path = beside = export_place_beside(asked->to, asked->arguments, asked->kinds == EXPORT_ALL_KINDS)))
		return EXIT_USAGE;
	if (asked->path && export_place_is_taken(asked->path, asked->arguments)) {
		free(beside);
		return EXIT_USAGE;
	}
	if (settle(asked) || is_for_no_terminal(asked)) {
		free(beside);
		return EXIT_USAGE;
	}
	export_place_tell_of_earlier(asked->to, asked->path);
	to = destination_open(asked->path, asked->folder);
	rc = to ? export_to(to, asked) : EXIT_LOST;
	if (asked->path && !rc)
		fprintf(stderr, "ranktrace: exported to %s\n", asked->path);
	free(beside);
	return rc;
}

int cmd_export(int argc, char **argv)
{
	static const char *const packings[] = { "gz", "zst", NULL };
	static const struct argument own[] = {
		{ "to", 't', take_to, false, formats },
		{ "output", 'o', take_output, false, NULL },
		{ "kinds", 'k', take_kinds, false, kinds },
		{ "by", 'b', take_by, false, by_words },
		{ "merge-windows", 'm', take_merge, true, NULL },
		{ "compress", 'c', take_compress, false, packings },
		{ "jobs", 'j', take_jobs, false, NULL },
		ARGUMENTS_STRIP,
		{ 0 },
	};
	struct asked asked = { .kinds = EXPORT_ALL_KINDS };
	struct arguments a = { .usage = usage, .own = own, .context = &asked };
	int rc;

	for (enum export_format_number i = 0; i < EXPORT_FORMATS; i++)
		formats[i] = export_format(i)->word;
	memcpy(kinds, kind_words, EV_KINDS * sizeof(*kinds));
	rc = arguments_read(&a, argc, argv);
	asked.arguments = &a;
	return rc == ARGUMENTS_GO_ON ? export_asked(&asked) : rc;
}
