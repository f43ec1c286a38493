/* ctl.c - `ranktrace ctl`: starts and stops recording in processes that run, and says where they are. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/format/causes.h"
#include "agent/format/trace_file.h"
#include "analysis/check/calls_now.h"
#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/session/request.h"
#include "analysis/util/alloc.h"
#include "config/base/number.h"
#include "config/base/printable.h"
#include "config/role_choice.h"

struct ctl {
	uint64_t steps, align;	 /* start: how many; 0: until a stop */
	const char *role, *text; /* text: of a mark */
	bool shared;		 /* by a file in the job's folder, for processes of all hosts */
	uint64_t at;		 /* start: not before this step; stop: with this one; 0: as the processes of this host are */
	uint32_t pid;		 /* 0: any */
	const char *path;	 /* save_path or folder of a job; NULL: any */
	struct sessions all;
	size_t count;
	struct session_entry **list; /* those that are meant */
};

/* ---- which processes ---- */

static bool has_role(const struct session_status *s, const char *role)
{
	for (unsigned int i = 0; i < STAGES_HEARD; i++)
		if (s->stages[i].role[0] && role_has_stage(role, s->stages[i].role))
			return true;
	return false;
}

/* One that only listens has made no call, and may never. */
static bool is_meant(const struct ctl *c, const struct session_entry *e)
{
	if (session_is_over(e) || e->status->state == SESSION_LISTENS)
		return false;
	if (c->pid && e->status->pid != c->pid)
		return false;
	return (!c->path || session_traces_into(e, c->path)) && (!c->role || has_role(e->status, c->role));
}

static int by_rank(const void *a, const void *b)
{
	const struct session_status *s = (*(struct session_entry *const *)a)->status, *t = (*(struct session_entry *const *)b)->status;

	if (s->rank != t->rank)
		return s->rank < t->rank ? -1 : 1;
	return s->pid < t->pid ? -1 : s->pid > t->pid;
}

static void forget(struct ctl *c)
{
	free(c->list);
	sessions_free(&c->all);
}

static void find(struct ctl *c)
{
	sessions_read(&c->all);
	c->list = alloc_zero(c->all.count + 1, sizeof(struct session_entry *));
	c->count = 0;
	for (size_t i = 0; i < c->all.count; i++)
		if (is_meant(c, &c->all.list[i]))
			c->list[c->count++] = &c->all.list[i];
	qsort(c->list, c->count, sizeof(struct session_entry *), by_rank);
}

static const char *processes(size_t count)
{
	return count == 1 ? "process" : "processes";
}

/* False: it was said. */
static bool found_any(const struct ctl *c)
{
	if (c->count)
		return true;
	fputs("ranktrace: no traced process of yours runs here", stderr);
	if (c->pid)
		fprintf(stderr, " as %u", c->pid);
	if (c->path)
		fprintf(stderr, " and traces into %s", c->path);
	if (c->role)
		fprintf(stderr, " and has entered a stage of role %s", c->role);
	fputs(": `ranktrace ctl status` lists those that do\n", stderr);
	return false;
}

/* Is there nothing of it that could ever be recorded? A file that could not be written may be now. */
static bool is_off(const struct session_status *s)
{
	switch ((uint32_t)s->cause) {
	case CAUSE_SAVE_PATH:
	case CAUSE_DISK_FULL:
	case CAUSE_MAX_SIZE:
	case CAUSE_NO_THREAD:
	case CAUSE_NO_DESCRIPTOR:
		return false;
	default:
		return session_cause_is_final(s->cause);
	}
}

static bool obeys(const struct session_status *s)
{
	return s->on_demand && !is_off(s);
}

/* False: it was said. */
static bool any_obeys(const struct ctl *c)
{
	size_t deaf = 0;

	for (size_t i = 0; i < c->count; i++)
		if (obeys(c->list[i]->status))
			return true;
		else
			deaf += !c->list[i]->status->on_demand;
	if (deaf)
		fprintf(stderr, "ranktrace: %zu %s without on_demand: start the job with --on-demand true, or RANKTRACE_ON_DEMAND=true\n", deaf,
			deaf == 1 ? "process runs" : "processes run");
	else
		fputs("ranktrace: nothing of these processes can be recorded: `ranktrace ctl status` says why\n", stderr);
	return false;
}

/* ---- who they are ---- */

static void say_who(FILE *out, const struct session_status *s)
{
	if (s->rank >= 0)
		fprintf(out, "rank %" PRId64 ", ", (int64_t)s->rank);
	fprintf(out, "process %u on %s: ", s->pid, s->host);
}

/* The highest step that one of them is in; STEP_NULL: none is in any. */
static int64_t highest_step(const struct ctl *c)
{
	int64_t highest = STEP_NULL;

	for (size_t i = 0; i < c->count; i++)
		if (obeys(c->list[i]->status) && c->list[i]->status->last_step > highest)
			highest = c->list[i]->status->last_step;
	return highest;
}

/* ---- start, stop ---- */

#define LOOK_US	       50000
#define LOOK_SHARED_US 1000000 /* they look once a second */
#define LOOKS_AHEAD    4       /* so many times the steps of a look may pass until all have heard, */
#define STEPS_AT_LEAST 2       /* and these */

static int64_t next_look(struct ctl *c)
{
	usleep(c->shared ? LOOK_SHARED_US : LOOK_US);
	forget(c);
	find(c);
	return highest_step(c);
}

/* None has come to it yet, as far as can be told: all that hear of it in time begin with it. */
static int64_t step_ahead(struct ctl *c)
{
	int64_t before = highest_step(c), now;

	if (c->at)
		return (int64_t)c->at;
	now = next_look(c);
	if (before == STEP_NULL && now != STEP_NULL) { /* they have just begun: how fast they are shows from here on */
		before = now;
		now = next_look(c);
	}
	if (now == STEP_NULL || now < -NUMBER_MAX || now > NUMBER_MAX / 2)
		return -NUMBER_MAX;
	return now + STEPS_AT_LEAST + (before == STEP_NULL ? 0 : LOOKS_AHEAD * (now - before));
}

static int64_t aligned(int64_t step, int64_t align)
{
	int64_t behind = (step % align + align) % align;

	return behind ? step + align - behind : step;
}

/* Whom the file is for, as far as they are here, is none of its business. False: it was said. */
static bool can_ask(const struct ctl *c)
{
	if (!c->shared)
		return found_any(c) && any_obeys(c);
	if (!c->path)
		fputs("ranktrace: --shared wants the folder of a job: PATH, a folder below the save_path\n", stderr);
	return c->path;
}

/* Returns whether it was written; what failed is said. */
static bool share(const struct ctl *c, struct session_request r)
{
	char folder[sizeof(c->list[0]->status->save_path) + sizeof(c->list[0]->status->job)];
	int err;

	if (c->count)
		snprintf(folder, sizeof(folder), "%s/%s", c->list[0]->status->save_path, c->list[0]->status->job);
	else
		snprintf(folder, sizeof(folder), "%s", c->path);
	err = request_share(folder, &r);
	if (err)
		fprintf(stderr, "ranktrace: %s/" SHARED_REQUESTS " cannot be written: %s\n", folder, strerror(-err));
	else
		printf("asked in %s/" SHARED_REQUESTS ": ", folder);
	return !err;
}

/* Asks all that obey. Returns how many were reached; what failed is said. */
static size_t ask_each(const struct ctl *c, const struct session_request *r)
{
	size_t reached = 0;

	for (size_t i = 0; i < c->count; i++) {
		struct session_request one = *r;
		int err = obeys(c->list[i]->status) ? request_write(c->list[i], &one) : 0;

		reached += obeys(c->list[i]->status) && !err;
		if (!err || err == -ENOENT || err == -ESTALE) /* it has ended */
			continue;
		fputs("ranktrace: ", stderr);
		say_who(stderr, c->list[i]->status);
		fprintf(stderr, "cannot be asked: %s\n", strerror(-err));
	}
	return reached;
}

static size_t ask(const struct ctl *c, const struct session_request *r)
{
	return c->shared ? share(c, *r) : ask_each(c, r);
}

/* Who they are, and what they do: one does, or several do. */
static void say_reached(const struct ctl *c, size_t reached, const char *one, const char *several)
{
	if (c->shared)
		printf("processes %s", several);
	else
		printf("%zu %s %s", reached, processes(reached), reached == 1 ? one : several);
}

/* Returns whether one had come as far before it could hear: it begins with a later step. */
static bool say_late(struct ctl *c, int64_t step)
{
	bool late = false;

	forget(c);
	find(c);
	for (size_t i = 0; i < c->count; i++) {
		const struct session_status *s = c->list[i]->status;

		if (!obeys(s) || s->last_step < step || (s->asked_first == step && s->looked_at == s->asked))
			continue;
		late = true;
		fputs("ranktrace: ", stderr);
		say_who(stderr, s);
		fprintf(stderr, "was in step %" PRId64 " before it heard, and begins later than the others\n", (int64_t)s->last_step);
	}
	return late;
}

static void say_start(const struct ctl *c, size_t reached, int64_t step)
{
	if (step == -NUMBER_MAX)
		say_reached(c, reached, "begins with the first step", "begin with the first step");
	else
		say_reached(c, reached, "records from step ", "record from step ");
	if (step != -NUMBER_MAX)
		printf("%" PRId64, step);
	if (c->steps)
		printf(", %" PRIu64 " step%s\n", c->steps, c->steps == 1 ? "" : "s");
	else
		puts(" on, until `ranktrace ctl stop`");
}

static int say_unknown_step(void)
{
	fputs("ranktrace: no process on this host tells how far the job is: give a step that none has come to, --at STEP\n", stderr);
	return EXIT_USAGE;
}

static int start(struct ctl *c)
{
	struct session_request r = { .kind = REQUEST_START, .steps = c->steps, .align = c->align };
	size_t reached;

	if (!can_ask(c))
		return EXIT_LOST;
	r.step = step_ahead(c);
	if (r.step != -NUMBER_MAX)
		r.step = aligned(r.step, (int64_t)c->align);
	else if (c->shared)
		return say_unknown_step();
	snprintf(r.text, sizeof(r.text), "%s", c->role ? c->role : "");
	reached = ask(c, &r);
	if (reached)
		say_start(c, reached, r.step);
	return !reached || (r.step != -NUMBER_MAX && say_late(c, r.step)) ? EXIT_LOST : 0;
}

static int stop(struct ctl *c)
{
	struct session_request r = { .kind = REQUEST_STOP, .align = 1, .step = -NUMBER_MAX };
	int64_t highest;
	size_t reached;

	if (!can_ask(c))
		return EXIT_LOST;
	highest = c->shared || c->at ? step_ahead(c) : highest_step(c);
	if (highest >= -NUMBER_MAX && highest <= NUMBER_MAX)
		r.step = highest;
	reached = ask(c, &r);
	if (reached)
		say_reached(c, reached, "stops", "stop");
	if (reached && r.step != -NUMBER_MAX)
		printf(" behind step %" PRId64, r.step);
	if (reached)
		putchar('\n');
	return reached ? 0 : EXIT_LOST;
}

static int mark(struct ctl *c)
{
	struct session_request r = { .kind = REQUEST_MARK, .align = 1 };
	size_t reached;

	if (!can_ask(c))
		return EXIT_LOST;
	snprintf(r.text, sizeof(r.text), "%s", c->text);
	make_printable(r.text);
	reached = ask(c, &r);
	if (reached)
		say_reached(c, reached, "marks it\n", "mark it\n");
	return reached ? 0 : EXIT_LOST;
}

/* ---- status ---- */

static void say_place(const struct session_status *s)
{
	if (s->last_step == STEP_NULL)
		fputs("no step so far", stdout);
	else
		printf("step %" PRId64 " (%s)", (int64_t)s->last_step, s->step_source[0] ? s->step_source : "no source");
	if (s->stage_now && s->stage_now <= STAGES_HEARD)
		printf(", in stage %s", s->stages[s->stage_now - 1].role);
	if (s->minis || s->micros)
		printf(", %" PRIu64 " mini- and %" PRIu64 " micro-batches", (uint64_t)s->minis, (uint64_t)s->micros);
}

static void say_asked(const struct session_status *s)
{
	bool ahead = s->asked_first != STEP_NULL && (s->last_step == STEP_NULL || s->last_step < s->asked_first);

	if (s->asked != s->looked_at)
		fputs("; asked, and not at a boundary since", stdout);
	else if (ahead)
		printf("; will record from step %" PRId64, (int64_t)s->asked_first);
}

static void say_window(const struct session_status *s)
{
	const char *file = strrchr(s->file, '/');

	if (s->state == SESSION_RECORDING)
		printf("; recording%s%s", file ? " into " : "", file ? file + 1 : "");
	else
		fputs("; recording nothing", stdout);
	if (s->cause)
		printf(" (%s)", session_cause_word(s->cause));
	if (!s->on_demand)
		fputs(" (no on_demand)", stdout);
	say_asked(s);
}

static void say_one(const struct session_entry *e)
{
	struct recovered found;
	bool inspected = !recover_inspect(e, &found);

	say_who(stdout, e->status);
	say_place(e->status);
	say_window(e->status);
	printf("; %" PRIu64 " calls kept", (uint64_t)e->status->kept + (inspected ? found.events : 0));
	printf(", %" PRIu64 " dropped\n", inspected ? found.dropped : (uint64_t)e->status->dropped);
	if (!inspected)
		return;
	calls_now_say(e, &found, "  ");
	recovered_free(&found);
}

static int status(struct ctl *c)
{
	if (!found_any(c))
		return EXIT_LOST;
	for (size_t i = 0; i < c->count; i++)
		say_one(c->list[i]);
	return 0;
}

/* ---- the command line ---- */

/* ACTION(name, its words in front of PATH, arguments, help) */
#define ACTIONS(ACTION)                                                                                                                        \
	ACTION(start, 0, " [--steps N] [--align K] [--role R]", "records N steps (unset: until a stop) from the next that is a multiple of K") \
	ACTION(stop, 0, "", "ends what is recorded with the step that it is in")                                                               \
	ACTION(mark, 1, " TEXT", "puts TEXT into what is recorded, or is recorded next, as a stage of no length")                              \
	ACTION(status, 0, "", "says of each process its step, stage, window, losses, and the call that it hangs in")

static const struct action {
	const char *name;
	int words;
	const char *arguments, *help;
	int (*run)(struct ctl *c);
} actions[] = {
#define ACTION(name, words, arguments, help) { #name, words, arguments, help, name },
	ACTIONS(ACTION)
#undef ACTION
};
#define ACTION_COUNT (sizeof(actions) / sizeof(actions[0]))

static int usage(FILE *out)
{
	fputs("Usage: ranktrace ctl ACTION [OPTION]... [PATH]\n"
	      "Asks processes that run with on_demand. PATH is a save_path, or the directory of a job;\n"
	      "without it all processes of yours on this host are meant.\n",
	      out);
	for (size_t i = 0; i < ACTION_COUNT; i++)
		fprintf(out, "  %s%s\n        %s\n", actions[i].name, actions[i].arguments, actions[i].help);
	fputs("  -s, --steps N      so many steps; unset: until ranktrace ctl stop\n"
	      "  -a, --align K      the first one is a multiple of K (1), so that hosts agree\n"
	      "  -R, --role ROLE    only processes that have entered a stage of this role; where stages have\n"
	      "                     files of their own, only stages of this role\n"
	      "  -t, --at STEP      not before this step, or for a stop: with this one; unset: as the processes\n"
	      "                     of this host are\n"
	      "  -S, --shared       processes of other hosts too, that were started with on_demand_shared: by a\n"
	      "                     file in the folder of the job, PATH\n"
	      "  -p, --pid PID      this process only\n"
	      "  -h, --help         this text\n"
	      "Exit status: 0 done, 1 not all, or no process, 2 wrong usage.\n",
	      out);
	return out == stdout ? 0 : EXIT_USAGE;
}

static const struct option options[] = {
	{ "steps", required_argument, NULL, 's' },
	{ "align", required_argument, NULL, 'a' },
	{ "at", required_argument, NULL, 't' },
	{ "shared", no_argument, NULL, 'S' },
	{ "role", required_argument, NULL, 'R' },
	{ "pid", required_argument, NULL, 'p' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int take_number(const char *option, const char *text, uint64_t *n)
{
	const char *end = text;
	int64_t number = 0;

	if (!number_read(&end, &number) || *end || !number)
		return arguments_refuse(option, text, "a number from 1");
	*n = (uint64_t)number;
	return 0;
}

static int take(struct ctl *c, int letter)
{
	uint64_t pid = 0;
	int rc;

	switch (letter) {
	case 's':
		return take_number("--steps", optarg, &c->steps);
	case 'a':
		return take_number("--align", optarg, &c->align);
	case 't':
		return take_number("--at", optarg, &c->at);
	case 'S':
		c->shared = true;
		return 0;
	case 'p':
		rc = take_number("--pid", optarg, &pid);
		c->pid = (uint32_t)pid;
		return rc;
	case 'R':
		c->role = optarg;
		return *optarg && strlen(optarg) < ROLE_HEARD ? 0 : arguments_refuse("--role", optarg, "the name of a stage or of a role, as actor");
	default:
		return EXIT_USAGE; /* which was said */
	}
}

static const struct action *action_of(const char *name)
{
	const char *names[ACTION_COUNT + 1] = { NULL };

	for (size_t i = 0; i < ACTION_COUNT; i++) {
		names[i] = actions[i].name;
		if (!strcmp(name, names[i]))
			return &actions[i];
	}
	arguments_refuse_word("action", name, names);
	return NULL;
}

/* What it takes, and a PATH perhaps. False: it was said. */
static bool words_fit(const struct action *a, char **words, int count)
{
	if (count < a->words || count > a->words + 1) {
		usage(stderr);
		return false;
	}
	return !a->words || (*words[0] && strlen(words[0]) < ROLE_HEARD) ||
	       !arguments_refuse("TEXT", words[0], "a text of 1 to 55 bytes");
}

/* For a shell that completes. */
static int print_actions(void)
{
	for (size_t i = 0; i < ACTION_COUNT; i++)
		puts(actions[i].name);
	return 0;
}

int cmd_ctl(int argc, char **argv)
{
	struct ctl c = { .align = 1 };
	const struct action *action;
	char *real = NULL, **words;
	int letter, rc = 0;

	if (argc == 2 && !strcmp(argv[1], "--values-of="))
		return print_actions();
	while (!rc && (letter = arguments_next(argc, argv, "s:a:t:SR:p:h", options)) != -1) {
		if (letter == 'h')
			return usage(stdout);
		rc = take(&c, letter);
	}
	if (rc)
		return rc;
	if (optind == argc)
		return usage(stderr);
	action = action_of(argv[optind]);
	if (!action)
		return EXIT_USAGE;
	words = argv + optind + 1;
	if (!words_fit(action, words, argc - optind - 1))
		return EXIT_USAGE;
	c.text = words[0];
	if (words[action->words]) {
		real = realpath(words[action->words], NULL);
		c.path = real ? real : words[action->words];
	}
	find(&c);
	rc = action->run(&c);
	forget(&c);
	free(real);
	return rc;
}
