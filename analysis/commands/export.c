/* export.c - `ranktrace export`: the formats of other people's viewers. */
#include <sched.h>
#include <dirent.h>
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
#include "analysis/report/run_of.h"
#include "analysis/run/run_folder.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"
#include "analysis/util/trace_paths.h"

struct format {
	const char *name, *help;
	bool folder; /* it makes one */
	const struct exporter *exporter;
};

static const struct format formats[] = {
#define EXPORTER(name, folder, help) { #name, help, folder, &name##_exporter },
#include "analysis/export/exporters.def"
#undef EXPORTER
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

/* As a person types it. */
static const char *word_of(const struct format *format)
{
	static char words[FORMATS][32];
	char *word = words[format - formats];

	snprintf(word, sizeof(words[0]), "%s", format->name);
	for (char *p = word; *p; p++)
		*p = *p == '_' ? '-' : *p;
	return word;
}

/* "chrome|csv" */
static void put_names(FILE *to)
{
	for (size_t i = 0; i < FORMATS; i++)
		fprintf(to, "%s%s", i ? "|" : "", word_of(&formats[i]));
}

static void usage(FILE *to)
{
	fputs("Usage: ranktrace export --to ", to);
	put_names(to);
	fputs(" [OPTION]... PATH...\n"
	      "Writes the time line for a viewer, or tables.\n",
	      to);
	for (size_t i = 0; i < FORMATS; i++)
		fprintf(to, "%-10s %-11s %s\n", i ? "" : "  -t, --to", word_of(&formats[i]), formats[i].help);
	fputs("  -o, --output PATH  output file (default: standard output), or folder of files (of some formats:\n"
	      "                     the run's folder unless said); never a trace\n"
	      "                     With chrome and perfetto a folder (FOLDER/) gets a file for each process\n"
	      "  -c, --compress TO  gz or zst: files are packed, and have that suffix; an output file that is\n"
	      "                     called so is packed anyway\n"
	      "  -j, --jobs N       so many processes of the trace at a time (default: as there are cores, but\n"
	      "                     1 to standard output); what is written is the same\n"
	      "  -s, --steps LIST   these steps only, as 2,4 or 5-9\n"
	      "  -r, --ranks LIST   these ranks only\n"
	      "  -R, --roles LIST   stages of these roles only, as actor_update or actor\n"
	      "  -k, --kinds LIST   events of these kinds only, as launch,copy\n"
	      "  -m, --merge-windows  formats of a folder a window: one folder for all windows of a process\n"
	      "  -h, --help         this text\n",
	      to);
}

struct asked {
	const char *path;	 /* NULL: standard output */
	const struct format *to; /* NULL: not said */
	const struct arguments *arguments;
	uint32_t kinds;
	bool merge_windows;
	enum packing packing;
	unsigned int jobs;
	bool folder; /* -o is one */
};

#define JOBS_MOST 256

static bool no_kind(void)
{
	fputs("ranktrace: of what was asked for there is nothing of the --kinds: `ranktrace report` lists the calls that there are\n", stderr);
	return false;
}

static int export_to(struct destination *to, const struct asked *asked)
{
	const struct arguments *a = asked->arguments;
	struct export e = { .to = to, .choice = &a->choice, .kinds = asked->kinds, .merge_windows = asked->merge_windows, .jobs = asked->jobs };
	struct exported done = { 0 };
	struct trace trace;

	destination_packing(to, asked->packing);
	destination_limit(to, asked->to->exporter->limit);
	if (!asked->folder && !(e.out = destination_file(to, NULL)))
		return destination_close(to, false) ? 0 : EXIT_LOST;
	trace_open(&trace, a->paths, a->count);
	by_run_tell_mixed(&trace, &a->choice, "exported", a->paths, a->count);
	run_of_tell(&trace);
	if (trace.count) {
		e.trace = &trace;
		done = export_trace(asked->to->exporter, &e, &trace);
		if (destination_is_well(to)) /* else it is said why there is not all */
			done.whole &= asked->kinds == EXPORT_ALL_KINDS || done.events ? found_all(&trace, &a->choice, done.ranks, done.events + done.stages) : no_kind();
	}
	trace_close(&trace);
	return destination_close(to, done.events || done.stages) && done.whole ? 0 : EXIT_LOST;
}

/* What an input, another trace or the record of a run holds cannot be had again. */
static bool is_trace(const char *path, const struct arguments *in)
{
	bool trace = trace_paths_is_trace(path) || run_folder_has_own(path);

	for (int i = 0; i < in->count; i++)
		trace |= trace_paths_same(path, in->paths[i]);
	if (trace)
		fprintf(stderr, "ranktrace: %s is a trace or an input and is not overwritten; give another file with -o\n", path);
	return trace;
}

static int take_to(void *context, const char *value)
{
	struct asked *asked = context;
	char *known = NULL;
	size_t size;
	FILE *f = open_memstream(&known, &size);
	int rc;

	for (size_t i = 0; i < FORMATS; i++) {
		if (!strcmp(value, word_of(&formats[i])))
			asked->to = &formats[i];
		fprintf(f, "%s%s (%s)", i ? " or " : "", word_of(&formats[i]), formats[i].help);
	}
	fclose(f);
	rc = asked->to ? 0 : arguments_refuse("--to", value, known);
	free(known);
	return rc;
}

static int take_output(void *context, const char *value)
{
	((struct asked *)context)->path = strcmp(value, "-") ? value : NULL;
	return 0;
}

static int refuse_kind(const char *word)
{
	char known[512] = "";

	for (int i = 0; i < EV_KINDS; i++)
		snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s", i ? ", " : "", kind_words[i]);
	return arguments_refuse("--kinds", word, known);
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
			return refuse_kind(word);
		asked->kinds |= 1u << kind;
	}
	return asked->kinds ? 0 : refuse_kind("");
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
	struct asked *asked = context;
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (*end || end == value || !n || n > JOBS_MOST)
		return arguments_refuse("--jobs", value, "a number from 1 to 256");
	asked->jobs = (unsigned int)n;
	return 0;
}

static int no_format(void)
{
	fputs("ranktrace: no format: write --to ", stderr);
	put_names(stderr);
	fputc('\n', stderr);
	usage(stderr);
	return EXIT_USAGE;
}

static bool holds_something(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *d;
	bool found = false;

	while (dir && !found && (d = readdir(dir)))
		found = strcmp(d->d_name, ".") && strcmp(d->d_name, "..");
	if (dir)
		closedir(dir);
	return found;
}

static bool is_of_all(const struct asked *asked)
{
	const struct choice *c = &asked->arguments->choice;

	return asked->kinds == EXPORT_ALL_KINDS && c->steps.all && c->ranks.all && !c->roles;
}

/* The run's folder, where an export of the whole run lies; NULL: that must be said, and why is. */
static bool find_beside(const struct asked *asked, char *folder, size_t size)
{
	const struct arguments *a = asked->arguments;
	const char *why = NULL;
	struct run run = { 0 };

	if (!asked->to->exporter->beside)
		why = "makes several files";
	else if (!is_of_all(asked))
		why = "of a part of a run goes into no folder of the run's";
	else if (a->count != 1 || run_folders_below(a->paths[0]) > 1)
		why = "of several runs goes into no folder of one of them";
	else if (run_folder_read(&run, a->paths[0], folder, size))
		why = "makes several files, and the path belongs to no run";
	run_free(&run);
	if (why)
		fprintf(stderr, "ranktrace: --to %s %s: give a folder with -o\n", word_of(asked->to), why);
	return !why;
}

/* A folder in that of the run; NULL: there is none, or one of before, which is said. */
static char *folder_beside(const struct asked *asked)
{
	char folder[4096], *beside;

	if (!find_beside(asked, folder, sizeof(folder)))
		return NULL;
	beside = alloc_format("%s/%s", folder, word_of(asked->to));
	if (!holds_something(beside))
		return beside;
	fprintf(stderr, "ranktrace: %s is there already: remove it, or give another folder with -o\n", beside);
	free(beside);
	return NULL;
}

/* What has other names stays, and whoever reads all of them reads that, too. */
static void tell_of_earlier(const struct asked *asked)
{
	if (asked->to->exporter->beside && holds_something(asked->path))
		fprintf(stderr, "ranktrace: %s is not empty: folders of an earlier export stay there, unless the new ones have their names\n",
			asked->path);
}

static unsigned int cores(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return n < JOBS_MOST ? (unsigned int)n : JOBS_MOST;
}

static bool names_folder(const char *path)
{
	struct stat st;
	size_t length = strlen(path);

	return (length && path[length - 1] == '/') || (!stat(path, &st) && S_ISDIR(st.st_mode));
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

	asked->folder = asked->to->folder || (x->may_be_folder && asked->path && names_folder(asked->path));
	if (asked->path && !asked->folder && contradicts(asked))
		return EXIT_USAGE;
	if (!asked->packing && asked->path && !asked->folder)
		asked->packing = packing_of_name(asked->path);
	if (!asked->jobs)
		asked->jobs = cores();
	if (x->sums_up && asked->kinds != EXPORT_ALL_KINDS) {
		fprintf(stderr, "ranktrace: what %s says of steps is summed up of all kinds: leave --kinds out\n", word_of(asked->to));
		return EXIT_USAGE;
	}
	if (asked->packing && !x->may_be_packed) {
		fprintf(stderr, "ranktrace: what reads %s takes no packed files: leave --compress out\n", word_of(asked->to));
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
	if (asked->to->folder && !asked->path && !(asked->path = beside = folder_beside(asked)))
		return EXIT_USAGE;
	if (asked->path && is_trace(asked->path, asked->arguments)) {
		free(beside);
		return EXIT_USAGE;
	}
	if (settle(asked) || is_for_no_terminal(asked)) {
		free(beside);
		return EXIT_USAGE;
	}
	tell_of_earlier(asked);
	to = destination_open(asked->path, asked->folder);
	rc = to ? export_to(to, asked) : EXIT_LOST;
	if (asked->to->exporter->beside && !rc)
		fprintf(stderr, "ranktrace: exported to %s\n", asked->path);
	free(beside);
	return rc;
}

int cmd_export(int argc, char **argv)
{
	static const char *const packings[] = { "gz", "zst", NULL };
	static const char *words[FORMATS + 1], *kinds[EV_KINDS + 1];
	static const struct argument own[] = {
		{ "to", 't', take_to, false, words },
		{ "output", 'o', take_output, false, NULL },
		{ "kinds", 'k', take_kinds, false, kinds },
		{ "merge-windows", 'm', take_merge, true, NULL },
		{ "compress", 'c', take_compress, false, packings },
		{ "jobs", 'j', take_jobs, false, NULL },
		{ 0 },
	};
	struct asked asked = { .kinds = EXPORT_ALL_KINDS };
	struct arguments a = { .usage = usage, .own = own, .context = &asked };
	int rc;

	for (size_t i = 0; i < FORMATS; i++)
		words[i] = word_of(&formats[i]);
	memcpy(kinds, kind_words, EV_KINDS * sizeof(*kinds));
	rc = arguments_read(&a, argc, argv);
	asked.arguments = &a;
	return rc == ARGUMENTS_GO_ON ? export_asked(&asked) : rc;
}
