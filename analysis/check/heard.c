#include "analysis/check/heard.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

static void say_name(const struct run_process *p)
{
	if (p->rank >= 0)
		printf("rank %" PRId64 ", ", p->rank);
	printf("process %" PRId64 " of %s: ", p->pid, p->host);
}

static void say_steps(const struct run_process *p)
{
	if (*p->step_source)
		printf("%" PRId64 " step%s, told by %s; ", p->boundaries, plural(p->boundaries), p->step_source);
	else
		fputs("no step source fired; ", stdout);
	printf("%" PRId64 " mini-batch%s, %" PRId64 " micro-batch%s\n", p->minis, p->minis == 1 ? "" : "es", p->micros, p->micros == 1 ? "" : "es");
}

static void say_stages(const struct run_counts *stages)
{
	for (unsigned int i = 0; i < stages->count; i++)
		printf("  stage %s: entered %" PRId64 " time%s\n", stages->list[i].name, stages->list[i].times, plural(stages->list[i].times));
}

static void say_sources(const struct run_process *p)
{
	for (unsigned int i = 0; i < p->sources.count; i++) {
		const struct run_count *c = &p->sources.list[i];

		if (c->times)
			printf("  %s: called %" PRId64 " time%s\n", c->name, c->times, plural(c->times));
		else
			printf("  %s: not called\n", c->name);
	}
	if (p->sources_away)
		printf("  %" PRId64 " other%s: not there, as their modules were not imported, or have no such function\n", p->sources_away,
		       plural(p->sources_away));
}

void heard_say(const struct run *r)
{
	if (*r->asked.preset)
		printf("preset %s\n", r->asked.preset);
	for (unsigned int i = 0; i < r->count; i++) {
		say_name(&r->processes[i]);
		say_steps(&r->processes[i]);
		say_stages(&r->processes[i].stages);
		say_sources(&r->processes[i]);
	}
}
