#include "agent/steps/step_sources.h"
#include <string.h>
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/step_clock.h"

static const struct step_source *const step_sources[STEP_SOURCE_KINDS] = {
#define SOURCE(name, grammar, ends, help) &name##_source,
#include "config/step_source/step_sources.def"
};

static const struct step_source *source_of(unsigned int source)
{
	return step_sources[step_clock_spec(source)->kind];
}

static void add_usual(enum step_source_kind kind)
{
	const struct step_source *s = step_sources[kind];
	struct step_source_spec spec;
	char why[256];

	if (s->usual && !step_source_make(&spec, kind, s->usual, strlen(s->usual), why, sizeof(why)))
		step_clock_add(&spec);
}

void step_sources_read(void)
{
	static struct step_source_spec specs[STEP_SOURCES]; /* of the start, which is on a thread of the program's: its stack may be small */
	unsigned int n = 0;
	char why[256];

	if (step_source_parse(settings.step_source, specs, &n, why, sizeof(why)))
		n = 0; /* config_load() has refused it already */
	step_clock_begin(n);
	for (unsigned int i = 0; i < n; i++)
		step_clock_add(&specs[i]);
	for (unsigned int kind = 0; !n && kind < STEP_SOURCE_KINDS; kind++)
		add_usual(kind);
}

static void note(unsigned int source)
{
	const struct step_source_spec *spec = step_clock_spec(source);
	const struct step_source *s = source_of(source);

	step_clock_listed(source, session_note_source("step", step_source_rows[spec->kind].name, spec->argument));
	if (!s->finds)
		step_clock_note(source, SOURCE_FOUND);
}

void step_sources_start(void)
{
	for (unsigned int i = 0; i < step_clock_count(); i++) {
		const struct step_source *s = source_of(i);

		note(i);
		if (!s->start || s->start(i, step_clock_spec(i)))
			step_clock_arm(i, s->gate);
	}
}

enum session_cause step_sources_why(bool listed)
{
	bool named = step_clock_is_named();

	for (unsigned int i = 0; (named || listed) && i < step_clock_count(); i++) {
		const struct step_source *s = source_of(i);
		enum session_cause cause = s->why ? s->why(named) : CAUSE_NONE;

		if (cause != CAUSE_NONE)
			return cause;
	}
	return listed ? CAUSE_NO_SOURCE : CAUSE_NONE;
}

void step_sources_forget(void)
{
	for (unsigned int kind = 0; kind < STEP_SOURCE_KINDS; kind++)
		if (step_sources[kind]->forget)
			step_sources[kind]->forget();
	step_clock_forget();
}
