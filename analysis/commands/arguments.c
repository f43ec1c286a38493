#include "analysis/commands/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/commands/commands.h"
#include "analysis/util/alloc.h"
#include "config/base/words.h"
#include "config/selection.h"

int arguments_refuse(const char *option, const char *word, const char *known)
{
	fprintf(stderr, "ranktrace: unknown %s '%.64s': use %s\n", option, word, known);
	return EXIT_USAGE;
}

int arguments_refuse_word(const char *option, const char *word, const char *const *choice)
{
	const char *near = word_nearest(word, choice);
	char all[512];

	words_join(all, sizeof(all), choice, "", " or ");
	return arguments_refuse(option, word, near ? near : all);
}

const char *const arguments_text_or_json[] = { "text", "json", NULL };
const char *const arguments_text_or_jsonl[] = { "text", "jsonl", NULL };

int arguments_take_format(bool *other, const char *value, const char *const *formats)
{
	char known[32];

	*other = !strcmp(value, formats[1]);
	words_join(known, sizeof(known), formats, "", " or ");
	return *other || !strcmp(value, formats[0]) ? 0 : arguments_refuse("--format", value, known);
}

int arguments_take_top(size_t *top, const char *value)
{
	long n = atol(value);

	*top = (size_t)n;
	return n > 0 ? 0 : arguments_refuse("--top", value, "a number from 1 on");
}

int arguments_take_strip(void *context, const char *value)
{
	(void)context;
	(void)value;
	stacks_strip_paths = true;
	return 0;
}

#define JOBS_MOST 256

int arguments_take_jobs(unsigned int *jobs, const char *value)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (*end || end == value || !n || n > JOBS_MOST)
		return arguments_refuse("--jobs", value, "a number from 1 to 256");
	*jobs = (unsigned int)n;
	return 0;
}

int arguments_no_path(const struct arguments *a)
{
	fputs("ranktrace: no PATH given: name a trace file or a folder with trace files\n", stderr);
	a->usage(stderr);
	return EXIT_USAGE;
}

#define NAMES_MAX 16

int arguments_unknown(const char *word, const struct option *list)
{
	const char *names[NAMES_MAX + 1] = { NULL }, *near;
	char name[64];

	for (unsigned int i = 0; i < NAMES_MAX && list[i].name; i++)
		names[i] = list[i].name;
	snprintf(name, sizeof(name), "%s", word + strspn(word, "-"));
	name[strcspn(name, "=")] = '\0';
	near = word_nearest(name, names);
	fprintf(stderr, "ranktrace: unknown option '%.64s': %s%s\n", word, near ? "write --" : "--help lists them",
		near ? near : "");
	return EXIT_USAGE;
}

int arguments_next(int argc, char **argv, const char *letters, const struct option *list)
{
	const char *word = argv[optind ? optind : 1];
	char quiet[64];
	int letter;

	opterr = 0;
	snprintf(quiet, sizeof(quiet), ":%s", letters);
	letter = getopt_long(argc, argv, quiet, list, NULL);
	if (letter == '?')
		arguments_unknown(word && *word == '-' ? word : argv[optind - 1], list);
	if (letter != ':')
		return letter;
	fprintf(stderr, "ranktrace: %.64s needs a value: --help tells which\n", argv[optind - 1]);
	return '?';
}

int arguments_take_list(struct selection *list, const char *option, const char *text, bool may_be_unknown)
{
	char why[256] = "no number: write numbers, ranges like 5-9, or all";

	if (!selection_read(list, text, why, sizeof(why)) && (list->all || list->count || (list->unknown && may_be_unknown)))
		return 0;
	fprintf(stderr, "ranktrace: --%s: %s\n", option, why);
	return EXIT_USAGE;
}

static int take_roles(struct choice *c, const char *text)
{
	c->roles = text;
	if (text[strspn(text, ", \t")])
		return 0;
	fputs("ranktrace: --roles: no role: write names of stages or of roles, as actor_update,ref\n", stderr);
	return EXIT_USAGE;
}

static int take_option(struct arguments *a, int letter)
{
	if (letter == 's')
		return arguments_take_list(&a->choice.steps, "steps", optarg, false);
	if (letter == 'r')
		return arguments_take_list(&a->choice.ranks, "ranks", optarg, true);
	if (letter == 'R')
		return take_roles(&a->choice, optarg);
	for (const struct argument *own = a->own; own && own->name; own++)
		if (own->letter == letter)
			return own->take(a->context, optarg);
	return EXIT_USAGE; /* which was said */
}

/* As getopt_long() wants them: the long ones, and the short ones as one word. The caller frees the list and the word. */
static struct option *list_options(const struct argument *own, char **letters)
{
	static const struct option common[] = {
		{ "steps", required_argument, NULL, 's' },
		{ "ranks", required_argument, NULL, 'r' },
		{ "roles", required_argument, NULL, 'R' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const size_t commons = sizeof(common) / sizeof(common[0]);
	struct option *list;
	size_t n = 0, used = 0;

	while (own && own[n].name)
		n++;
	list = alloc_zero(n + commons, sizeof(*list));
	*letters = alloc_zero(2 * (n + commons) + 1, 1);
	for (size_t i = 0; i < n + commons - 1; i++) {
		list[i] = i < n ? (struct option){ own[i].name, own[i].plain ? no_argument : required_argument, NULL, own[i].letter } : common[i - n];
		(*letters)[used++] = (char)list[i].val;
		if (list[i].has_arg)
			(*letters)[used++] = ':';
	}
	return list;
}

/* For a shell that completes, which says --values-of=--to: one a line. */
static int print_choice(const struct argument *own, const char *flag)
{
	const char *name = flag + strspn(flag, "-");

	for (; own && own->name; own++) {
		if (strcmp(name, own->name) && (name[0] != own->letter || name[1]))
			continue;
		for (const char *const *word = own->choice; word && *word; word++)
			puts(*word);
	}
	return 0;
}

#define VALUES_OF "--values-of="

int arguments_read(struct arguments *a, int argc, char **argv)
{
	char *letters;
	struct option *list;
	int letter, rc = 0;

	if (argc == 2 && !strncmp(argv[1], VALUES_OF, strlen(VALUES_OF)))
		return print_choice(a->own, argv[1] + strlen(VALUES_OF));
	list = list_options(a->own, &letters);
	a->choice = CHOICE_ALL;
	while (!rc && (letter = arguments_next(argc, argv, letters, list)) != -1) {
		if (letter == 'h')
			break;
		rc = take_option(a, letter);
	}
	free(letters);
	free(list);
	if (rc)
		return rc;
	if (letter == 'h') {
		a->usage(stdout);
		return 0;
	}
	a->paths = argv + optind;
	a->count = argc - optind;
	return ARGUMENTS_GO_ON;
}

int arguments_read_with_paths(struct arguments *a, int argc, char **argv)
{
	int rc = arguments_read(a, argc, argv);

	return rc == ARGUMENTS_GO_ON && !a->count ? arguments_no_path(a) : rc;
}
