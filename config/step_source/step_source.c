#include "config/step_source/step_source.h"
#include <string.h>
#include "config/base/refuse.h"
#include "config/base/words.h"
#include "config/step_source/marker.h"
#include "config/step_source/spec_list.h"

const struct step_source_row step_source_rows[STEP_SOURCE_KINDS] = {
/* A constant that is true or false: of a source without a grammar there need be no function. */
#define SOURCE(name, grammar, ends, help) \
	{ #name, #name grammar, help, STEP_##ends, sizeof(grammar) > 1 ? name##_parse : NULL },
#include "config/step_source/step_sources.def"
};

const char *const step_source_usages[] = {
#define SOURCE(name, grammar, ends, help) #name grammar,
#include "config/step_source/step_sources.def"
	NULL
};

static const struct {
	unsigned int times;
	const char *remedy;
} at_most[STEP_SOURCE_KINDS] = {
#define AT_MOST(name, times, remedy) [STEP_SOURCE_##name] = { times, remedy },
#include "config/step_source/step_sources.def"
};

/* Is the last one of a kind that stands there as often as it may already? */
static int refuse_one_more(const struct step_source_spec *specs, unsigned int count, char *why, size_t size)
{
	enum step_source_kind kind = specs[count - 1].kind;
	unsigned int times = 0;

	for (unsigned int i = 0; i < count; i++)
		times += specs[i].kind == kind;
	if (!at_most[kind].times || times <= at_most[kind].times)
		return 0;
	return refuse(why, size, "%s is named %u times: %s", step_source_rows[kind].name, times, at_most[kind].remedy);
}

static int unknown(const char *from, size_t length, char *why, size_t size)
{
	char all[1024];

	words_join(all, sizeof(all), step_source_usages, "", " or ");
	return refuse(why, size, "'%.*s' is not a step source: write %s", shown(length), from, all);
}

int step_source_make(struct step_source_spec *s, enum step_source_kind kind, const char *argument,
		     size_t length, char *why, size_t size)
{
	const struct step_source_row *row = &step_source_rows[kind];

	*s = (struct step_source_spec){ .kind = kind, .ends = row->tells == STEP_ENDS };
	if (length >= sizeof(s->argument))
		return refuse(why, size, "longer than %zu bytes: write a shorter one", sizeof(s->argument) - 1);
	memcpy(s->argument, argument, length);
	return row->parse ? row->parse(s, why, size) : 0;
}

static int read_spec(struct step_source_spec *s, const char *from, const char *end, char *why, size_t size)
{
	size_t length = (size_t)(end - from);
	const char *colon = memchr(from, ':', length), *argument = colon ? colon + 1 : end;
	size_t name_length = (size_t)((colon ? colon : end) - from);

	for (unsigned int kind = 0; kind < STEP_SOURCE_KINDS; kind++) {
		const struct step_source_row *row = &step_source_rows[kind];

		if (strlen(row->name) != name_length || strncmp(row->name, from, name_length))
			continue;
		if (!row->parse && colon)
			break;
		return step_source_make(s, kind, argument, (size_t)(end - argument), why, size);
	}
	return unknown(from, length, why, size);
}

int step_source_parse(const char *text, struct step_source_spec specs[STEP_SOURCES],
		      unsigned int *count, char *why, size_t size)
{
	const char *from, *end;
	int err;

	for (*count = 0; spec_next(&text, &from, &end);) {
		if (*count == STEP_SOURCES)
			return refuse(why, size, "more than %d step sources: write fewer", STEP_SOURCES);
		err = read_spec(&specs[(*count)++], from, end, why, size);
		if (!err)
			err = refuse_one_more(specs, *count, why, size);
		if (err)
			return err;
	}
	return 0;
}
