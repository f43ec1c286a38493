#include "analysis/check/heard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/explain_process.h"
#include "analysis/run/asked_steps.h"
#include "analysis/run/run_totals.h"
#include "config/preset.h"
#include "config/step_source/python.h"
#include "config/step_source/step_source.h"

static const char *plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

static void say_name(const struct run *r, const struct run_process *p)
{
	char name[RUN_NAME];

	run_name_process(r, p, name);
	if (p->rank >= 0)
		printf("%s, ", name);
	printf("process %" PRId64 " of %s: ", p->pid, p->host);
}

static bool was_told_steps(const struct run_process *p)
{
	return *p->step_source && p->last_step != STEP_NULL;
}

/* Behind the last window nobody listens any more. */
static bool was_done(const struct run *r, const struct run_process *p)
{
	return p->windows && !asked_steps_after(&r->asked, p->last_step - 1);
}

static void say_steps(const struct run *r, const struct run_process *p)
{
	if (was_told_steps(p))
		printf("%" PRId64 " step%s, the last one %" PRId64 "%s, told by %s; ", p->boundaries, plural(p->boundaries), p->last_step,
		       was_done(r, p) ? " (behind the selected ones none is counted)" : "", p->step_source);
	else
		fputs("no step source fired; ", stdout);
	if (*p->waited_for)
		printf("waited for: %s, which told none in %" PRId64 " s of launches; ", p->waited_for, p->waited_seconds);
	printf("%" PRId64 " mini-batch%s, %" PRId64 " micro-batch%s\n", p->minis, p->minis == 1 ? "" : "es", p->micros, p->micros == 1 ? "" : "es");
}

/* Of a rank that is not selected, say, nothing was listened to: then why is told instead. */
static bool say_why_not(const struct run *r, const struct run_process *p)
{
	char *why = p->sources.count || p->stages.count || p->boundaries || p->by_files ? NULL : explain_cause(r, p);

	if (why)
		printf("no step source was listened to: %s\n", why);
	free(why);
	return why != NULL;
}

/* Elsewhere another version may be installed than where the launcher looked. */
static void say_packages(const struct run *r, const struct run_process *p)
{
	const struct preset *asked = preset_find(r->asked.preset), *fits;
	char text[sizeof(p->packages)], *rest = text, *package, *version;

	memcpy(text, p->packages, sizeof(text));
	while ((package = strsep(&rest, ",")) && *package) {
		package += strspn(package, " ");
		version = strchr(package, ' ');
		printf("  package %s", package);
		if (version)
			*version = '\0';
		fits = asked && version && !strcmp(asked->package, package) ? preset_for(asked, version + 1) : asked;
		printf(fits != asked ? ", which wants preset %s\n" : "\n", fits ? fits->name : "");
	}
}

static void say_stages(const struct run_counts *stages)
{
	for (unsigned int i = 0; i < stages->count; i++)
		printf("  stage %s: entered %" PRId64 " time%s\n", stages->list[i].name, stages->list[i].times, plural(stages->list[i].times));
}

#define OPTIMIZER "step python:" PYTHON_OPTIMIZER

/* A function of Python: its calls are counted, whether it tells the steps or another source does. */
static bool is_function(const char *source)
{
	const char *kind = strchr(source, ' ');

	return kind && !strncmp(kind, " python:", strlen(" python:")) && strcmp(source, OPTIMIZER);
}

static const char *missing(const struct run_count *c)
{
	bool away = c->times == SOURCE_AWAY;

	if (!strncmp(c->name, "step symbol:", strlen("step symbol:")))
		return away ? "its library was not loaded" : "its library has no such function";
	if (!away && !strcmp(c->name, OPTIMIZER))
		return "PyTorch has optimizer hooks from 2.0 on";
	if (!away && strstr(c->name, " python:__main__:"))
		return "__main__ had no such function, neither at the last import of a module nor at the first hooked call";
	return away ? "its module was not imported" : "its module has no such function";
}

static void say_calls(const struct run_process *p, const struct run_count *c)
{
	bool function = is_function(c->name), others = !strncmp(c->name, "step ", strlen("step ")) && was_told_steps(p);

	if (c->times < 0)
		printf("not there: %s", missing(c));
	else if (c->times)
		printf("%s %" PRId64 " time%s", function ? "called" : "fired", c->times, plural(c->times));
	else if (function)
		fputs("not called", stdout);
	else if (others)
		printf("had not fired when %s did", p->step_source);
	else
		fputs("did not fire", stdout);
}

/* What was called and could not be read was called. */
static void say_source(const struct run_process *p, const struct run_count *c)
{
	int64_t unread = 0;

	for (unsigned int i = 0; i < p->unread.count; i++)
		if (!strcmp(p->unread.list[i].name, c->name))
			unread = p->unread.list[i].times;
	printf("  %s: ", c->name);
	if (c->times || !unread)
		say_calls(p, c);
	if (unread)
		printf("%s%" PRId64 " call%s said nothing, as arguments could not be read", c->times ? "; " : "", unread, plural(unread));
	puts("");
}

/* Those that are listened to where nobody names any. */
static bool is_usual(const char *source)
{
	return !strcmp(source, "step api") || !strcmp(source, OPTIMIZER) || !strcmp(source, "step kernel:" KERNEL_OPTIMIZERS);
}

static void say_sources(const struct run_process *p)
{
	bool named = false;

	for (unsigned int i = 0; i < p->sources.count; i++) {
		say_source(p, &p->sources.list[i]);
		named |= !is_usual(p->sources.list[i].name);
	}
	if (!*p->step_source && !p->stages.count && !named && !p->minis && !p->micros)
		puts("  nothing tells of steps or stages: name functions by --preset or --step-source, or call ranktrace_step(n) (docs/using.md)");
}

void heard_say(const struct run *r)
{
	if (*r->asked.preset)
		printf("preset %s%s%s\n", r->asked.preset, *r->asked.preset_version ? ", by the installed version " : "", r->asked.preset_version);
	for (unsigned int i = 0; i < r->count; i++) {
		say_name(r, &r->processes[i]);
		if (say_why_not(r, &r->processes[i]))
			continue;
		say_steps(r, &r->processes[i]);
		say_packages(r, &r->processes[i]);
		say_stages(&r->processes[i].stages);
		say_sources(&r->processes[i]);
	}
}
