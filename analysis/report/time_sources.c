/* time_sources.c - section: how device times were had, and how many were not. */
#include "analysis/report/time_sources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/section.h"
#include "analysis/util/alloc.h"

static const struct time_sources *of(const struct report *r)
{
	return r->sections[SECTION_time_sources];
}

void time_sources_take(struct time_sources *t, const char *source)
{
	size_t i = 0;

	t->times++;
	if (!source)
		return;
	while (i < t->count && strcmp(t->list[i].name, source))
		i++;
	if (i == t->count) {
		t->list = alloc_grow(t->list, ++t->count, sizeof(*t->list));
		t->list[i] = (struct time_source){ alloc_text(source, strlen(source)), 0 };
	}
	t->list[i].times++;
}

static void let_go(void *kept)
{
	struct time_sources *t = kept;

	for (size_t i = 0; i < t->count; i++)
		free(t->list[i].name);
	free(t->list);
}

/* ---- as a line ---- */

/* Ranks of one run tell of the same sources, most often: each is named once. */
static uint64_t times_by(const struct report *reports, size_t count, const char *source, bool *before, size_t i)
{
	uint64_t sum = 0;

	*before = false;
	for (size_t k = 0; k < count; k++) {
		for (size_t n = 0; n < of(&reports[k])->count; n++) {
			if (strcmp(of(&reports[k])->list[n].name, source))
				continue;
			*before |= k < i;
			sum += of(&reports[k])->list[n].times;
		}
	}
	return sum;
}

/* What the word of a source stands for; of a newer version the word. */
static const char *source_meaning(const char *source)
{
	static const struct {
		const char *source, *meaning;
	} meanings[] = {
#define TIME_SOURCE(word, meaning) { word, meaning },
#include "hooks/rows/vendors.def"
	};

	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (!strcmp(source, meanings[i].source))
			return meanings[i].meaning;
	return source;
}

void time_sources_line(struct out *o, const struct report *reports, size_t count)
{
	const char *between = "TIMES device: from ";
	bool before;

	for (size_t i = 0; i < count; i++) {
		for (size_t n = 0; n < of(&reports[i])->count; n++) {
			const char *source = of(&reports[i])->list[n].name;
			uint64_t sum = times_by(reports, count, source, &before, i);

			if (before)
				continue;
			out_text(o, between);
			out_clean(o, source_meaning(source));
			out_format(o, " (%" PRIu64 ")", sum);
			between = ", ";
		}
	}
	if (*between == ',')
		out_text(o, "\n");
}

/* ---- as JSON ---- */

static void json(struct out *o, const struct report *r)
{
	const struct time_sources *t = of(r);

	out_json_number(o, "device_times", t->times);
	out_json_key(o, "time_sources");
	out_char(o, '{');
	for (size_t i = 0; i < t->count; i++) {
		out_json_comma(o, i);
		out_json(o, t->list[i].name);
		out_char(o, ':');
		out_u64(o, t->list[i].times);
	}
	out_char(o, '}');
	out_json_number(o, "untimed", key_values_number(&r->facts, "untimed", 0));
}

const struct section time_sources_section = { .kept = sizeof(struct time_sources), .free = let_go, .json = json, .csv = "" };
